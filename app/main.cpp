#include "app/cli/command_line.h"
#include "app/gui/main_window/run_window.h"

#include <csignal>

int main(int argc, char** argv)
{
    std::signal(SIGXFSZ, SIG_IGN); // Exceeding a limit on file sizes is an error like a full disk and must not kill the process.
    if (const auto status = helio::runCommandLine(argc, argv))
        return *status;
    return helio::runWindow(argc, argv);
}
