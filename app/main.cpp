#include "app/cli/command_line.h"
#include "app/gui/main_window/run_window.h"

#include <csignal>

int main(int argc, char** argv)
{
    // Ignore the signal, so that a file size limit causes a write error, like a full disk, and does not kill the process.
    std::signal(SIGXFSZ, SIG_IGN);
    if (const auto status = helio::runCommandLine(argc, argv))
        return *status;
    return helio::runWindow(argc, argv);
}
