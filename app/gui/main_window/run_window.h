#pragma once

namespace helio {

/// True if the system lets the process start as many threads as a window needs. Without them, Qt would wait forever: it paints large areas
/// in several threads, and does not notice that the system refused them.
/// Cost: starts and ends these threads.
bool canStartThreads();

/// Opens a window and runs the event loop. `argv` may name traces or a session file. Returns the exit status.
int runWindow(int argc, char** argv);

} // namespace helio
