// The first file of the target; replaced as soon as the target has one of its own.
