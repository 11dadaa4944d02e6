#pragma once

namespace helio {

/// Opens a window and runs the event loop. `argv` may name traces or a session file. Returns the exit status.
int runWindow(int argc, char** argv);

} // namespace helio
