#include "tests/bench/suite/child_process.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace helio::bench {
namespace {

constexpr auto SampleStep = std::chrono::milliseconds(3);
constexpr long MostBytes = 1 << 20; ///< Maximum number of bytes that are kept of a child's output; further output is ignored.

double seconds(const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; }

void sampleMemory(pid_t process, ChildCost& cost)
{
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    const auto valueOf = [](const std::string& line) { return std::strtod(line.c_str() + line.find(':') + 1, nullptr) / 1024; };
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("RssAnon:"))
            cost.lastAnonymousMiB = valueOf(line);
        else if (line.starts_with("VmRSS:"))
            cost.lastMiB = valueOf(line);
        // Use VmHWM for the peak of resident memory; ru_maxrss of rusage also includes this program's memory before exec.
        else if (line.starts_with("VmHWM:"))
            cost.peakMiB = valueOf(line);
    }
    cost.peakAnonymousMiB = std::max(cost.peakAnonymousMiB, cost.lastAnonymousMiB);
}

std::string endOf(std::FILE* file)
{
    std::fseek(file, 0, SEEK_END);
    const long size = std::ftell(file);
    std::fseek(file, std::max(0L, size - MostBytes), SEEK_SET);
    std::string text(std::size_t(std::min(size, MostBytes)), '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file));
    return text;
}

/// Starts the command and returns its PID; 0 if it could not be started.
pid_t start(const std::vector<std::string>& command, std::FILE* output, std::FILE* errors)
{
    std::vector<char*> arguments;
    for (const std::string& argument : command)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output)
        posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
    pid_t child = 0;
    const int problem = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return problem == 0 ? child : 0;
}

/// Waits for the child's end. Meanwhile samples its memory or terminates it, as `watch` requests.
void watchOver(pid_t child, const ChildWatch& watch, ChildCost& cost)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    const bool looks = watch.samplesMemory || watch.terminateAfterSeconds > 0 || watch.terminateWhen;
    bool isFinished = false;
    int status = 0;
    rusage usage{};
    while (wait4(child, &status, looks ? WNOHANG : 0, &usage) == 0) {
        sampleMemory(child, cost);
        if (watch.terminateAfterSeconds > 0 && elapsed() >= watch.terminateAfterSeconds)
            kill(child, SIGTERM);
        if (!isFinished && watch.terminateWhen && watch.terminateWhen()) {
            isFinished = true;
            kill(child, SIGTERM);
        }
        std::this_thread::sleep_for(SampleStep);
    }
    cost.seconds = elapsed();
    cost.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    cost.isDone = (WIFEXITED(status) && WEXITSTATUS(status) == 0) || (isFinished && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

} // namespace

ChildCost runChild(const std::vector<std::string>& command, const ChildWatch& watch)
{
    const auto close = [](std::FILE* file) { std::fclose(file); };
    using File = std::unique_ptr<std::FILE, decltype(close)>;
    const File errors(std::tmpfile());
    const File output(watch.capturesOutput ? std::tmpfile() : nullptr);
    ChildCost cost;
    if (!errors || (watch.capturesOutput && !output))
        return cost;
    if (const pid_t child = start(command, output.get(), errors.get())) {
        watchOver(child, watch, cost);
        cost.errors = endOf(errors.get());
        if (output)
            cost.output = endOf(output.get());
    }
    return cost;
}

bool isRunnable(const std::vector<std::string>& command) { return runChild(command).isDone; }

} // namespace helio::bench
