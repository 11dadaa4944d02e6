#pragma once

namespace helio {

/// Version of the protocol: grows when a client must change.
constexpr int ServeProtocol = 1;

/// Answers requests from standard input on standard output, one line of JSON each, until the input ends and all requests are answered. All
/// other output of the program goes to standard error. The protocol is described in resources/guide/serve.md.
///
/// Requests run one after the other on the calling thread, which must be the main thread, because some draw; another thread reads the
/// input, so that a running request can be cancelled. If the client has ended, the running request is cancelled.
/// Memory: bounded for each request, apart from pictures; opened traces stay open until they are closed.
/// Returns the exit status: ExitInput if the output could not be written.
int serveStandardStreams();

} // namespace helio
