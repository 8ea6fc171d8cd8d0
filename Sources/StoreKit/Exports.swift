// `import StoreKit` makes Foundation's names visible on Apple's systems, so it must here.
@_exported public import Foundation

#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif
