import Hummingbird

/// What contexts the routes take: any that Hummingbird makes.
typealias BackendContext = BasicRequestContext
