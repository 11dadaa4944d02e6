#include "app/cli/command_line.h"
#include "app/gui/main_window/run_window.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

int main(int argc, char** argv)
{
    // Ignore the signal, so that a file size limit causes a write error, like a full disk, and does not kill the process.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        if (const auto status = helio::runCommandLine(argc, argv))
            return *status;
        return helio::runWindow(argc, argv);
    } catch (const std::bad_alloc&) { // Thrown before a command runs, by the window, or because there is no memory for a message either.
        std::fputs("heliograph: not enough memory\n", stderr);
        return EXIT_FAILURE;
    }
}
