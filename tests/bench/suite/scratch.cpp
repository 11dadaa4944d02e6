#include "tests/bench/suite/scratch.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace helio::bench {
namespace fs = std::filesystem;
namespace {

sigset_t watched()
{
    sigset_t awaited;
    sigemptyset(&awaited);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT})
        sigaddset(&awaited, signal);
    return awaited;
}

/// Waits for the child and returns its exit status; forwards a termination signal to its process group.
int guard(pid_t child, const sigset_t& awaited)
{
    int stopped = 0;
    for (;;) {
        int signal = 0;
        sigwait(&awaited, &signal);
        if (signal != SIGCHLD) {
            stopped = signal;
            kill(-child, SIGKILL); // SIGKILL, because the child has nothing to save and its children may ignore other signals.
            continue;
        }
        int status = 0;
        if (waitpid(child, &status, WNOHANG) != child)
            continue;
        if (stopped)
            return 128 + stopped;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}

} // namespace

int withScratch(const fs::path& where, const std::function<int(const fs::path&)>& work)
{
    std::string name = (where / "heliograph-bench-XXXXXX").string();
    if (!mkdtemp(name.data())) {
        fmt::print(stderr, "heliograph_bench: no folder can be made in {}\n", where.string());
        return 1;
    }
    const sigset_t awaited = watched();
    sigset_t before;
    sigprocmask(SIG_BLOCK, &awaited, &before);
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sigprocmask(SIG_SETMASK, &before, nullptr);
        const int status = work(name);
        std::fflush(nullptr);
        _exit(status);
    }
    int status = 1;
    if (child > 0) {
        setpgid(child, child);
        status = guard(child, awaited);
    }
    std::error_code ignored;
    fs::remove_all(name, ignored);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return status;
}

std::string missingSpaceMessage(const fs::path& folder, std::uint64_t bytes)
{
    std::error_code error;
    const auto space = fs::space(folder, error);
    if (error || space.available >= bytes)
        return {};
    return fmt::format("{} has {} MiB left, {} MiB are needed; --scratch DIR names another folder", folder.string(), space.available >> 20,
                       bytes >> 20);
}

} // namespace helio::bench
