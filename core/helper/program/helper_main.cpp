#include "core/helper/program/helper_main.h"

#include "core/base/version.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace helio {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool IsSanitized = true;
#elif defined(__has_feature)
constexpr bool IsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer); // Clang has no __SANITIZE_* macros.
#else
constexpr bool IsSanitized = false;
#endif

/// Sets a limit that the process cannot raise again.
void setFinalLimit(decltype(RLIMIT_CPU) what, rlim_t limit)
{
    rlimit now{};
    getrlimit(what, &now);
    now.rlim_cur = now.rlim_max = std::min(limit, now.rlim_max);
    setrlimit(what, &now);
}

/// Reads from standard input through a buffer, because most messages are short.
bool readAll(void* to, std::size_t size)
{
    static std::vector<std::byte> buffer(std::size_t{64} << 10);
    static std::span<const std::byte> left;
    auto* at = static_cast<std::byte*>(to);
    while (size > 0) {
        if (left.empty()) {
            const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
            if (got == 0 || (got < 0 && errno != EINTR))
                return false;
            left = std::span(buffer).first(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        }
        const std::size_t count = std::min(size, left.size());
        std::copy_n(left.begin(), count, at);
        left = left.subspan(count);
        at += count;
        size -= count;
    }
    return true;
}

} // namespace

HelperArguments helperArguments(int argc, char** argv, std::size_t count)
{
    constexpr int Common = 3; // The program, the CPU time and the version.
    if (argc < Common + static_cast<int>(count)) {
        std::fputs("This program is part of heliograph, which starts it as needed.\n", stderr);
        std::exit(2);
    }
    if (std::string_view(argv[2]) != version())
        std::exit(OtherVersionExit);
    return {std::strtoull(argv[1], nullptr, 10), {argv + Common, argv + argc}};
}

void limitHelper(std::uint64_t memoryBytes)
{
    if (!IsSanitized)
        setFinalLimit(RLIMIT_AS, memoryBytes);
    setFinalLimit(RLIMIT_CORE, 0);
    setFinalLimit(RLIMIT_FSIZE, 0);
}

void allowCpuSeconds(std::uint64_t seconds)
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    rlimit limit{};
    getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = std::min(static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 1, limit.rlim_max);
    setrlimit(RLIMIT_CPU, &limit);
}

void writeToHeliograph(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            std::exit(1);
        bytes = bytes.subspan(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
}

std::optional<HelperRequest> readFromHeliograph()
{
    MessageHeader head;
    if (!readAll(&head, sizeof head))
        return {};
    HelperRequest request{head.kind, std::vector<std::byte>(head.bytes)};
    return readAll(request.bytes.data(), request.bytes.size()) ? std::optional(std::move(request)) : std::nullopt;
}

} // namespace helio
