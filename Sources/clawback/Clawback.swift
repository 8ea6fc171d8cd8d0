/// The command line.
@main
struct Clawback {
  static func main() {
    print("clawback")
  }
}
