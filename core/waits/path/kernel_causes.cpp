#include "core/waits/path/kernel_causes.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <span>

namespace helio {
namespace {

using Names = std::initializer_list<std::string_view>;

bool isAny(std::string_view name, Names names) { return std::ranges::find(names, name) != names.end(); }

bool isAny(std::string_view name, std::span<const std::string_view> names) { return std::ranges::find(names, name) != names.end(); }

bool startsWithAny(std::string_view name, Names starts)
{
    return std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); });
}

bool hasAny(std::string_view name, Names parts)
{
    return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

// Lists of system calls: calls that wait for locks, for child processes and signals, or for data, and calls that end waits for data.
constexpr std::string_view Locks[]{"futex", "futex_wait", "futex_waitv", "futex_time64", "flock", "semop", "semtimedop"};
constexpr std::string_view Children[]{"wait4",           "waitid",        "waitpid",    "vfork", "pause",
                                      "rt_sigtimedwait", "rt_sigsuspend", "sigsuspend", "ptrace"};
constexpr std::string_view Streams[]{
    "read",     "readv",      "write",       "writev",       "splice",          "tee",          "sendfile", "recvfrom", "recvmsg",
    "recvmmsg", "sendto",     "sendmsg",     "accept",       "accept4",         "connect",      "poll",     "ppoll",    "select",
    "pselect6", "epoll_wait", "epoll_pwait", "epoll_pwait2", "mq_timedreceive", "mq_timedsend", "msgrcv",   "msgsnd"};
constexpr std::string_view Writers[]{"write", "writev",     "pwrite64",     "splice",          "sendto", "sendmsg",  "sendmmsg",
                                     "read",  "readv",      "recvfrom",     "recvmsg",         "close",  "shutdown", "connect",
                                     "exit",  "exit_group", "mq_timedsend", "mq_timedreceive", "msgsnd", "msgrcv"};

} // namespace

PathKind kindOfCall(std::string_view call)
{
    if (isSleep(call))
        return PathKind::Timer;
    return isAny(call, {"fsync", "fdatasync", "syncfs", "sync"}) ? PathKind::Disk : kindOfWait(call, {});
}

PathKind kindOfContext(std::string_view context)
{
    if (isAny(context, {"TIMER", "HRTIMER", "local_timer", "hrtimer", "timer", "arch_timer"}))
        return PathKind::Timer;
    if (isAny(context, {"NET_RX", "NET_TX"}))
        return PathKind::Network;
    if (isAny(context, {"BLOCK", "IRQ_POLL", "BLOCK_IOPOLL"}))
        return PathKind::Disk;
    if (isAny(context, {"reschedule", "call_function", "call_function_single", "irq_work", "x86_platform_ipi"})
        || context.starts_with("IPI"))
        return PathKind::Ipi;
    if (startsWithAny(context, {"nvme", "ahci", "ata_", "megasas", "mpt", "mmc", "sdhci", "ufshcd", "hpsa"})
        || (context.starts_with("virtio") && hasAny(context, {"-req."})))
        return PathKind::Disk;
    if (startsWithAny(context, {"eth", "ens", "enp", "eno", "wlan", "wlp", "mlx", "iwlwifi", "ixgbe", "i40e", "ena"})
        || (context.starts_with("virtio") && hasAny(context, {"-input", "-output"})))
        return PathKind::Network;
    if (startsWithAny(context, {"i8042", "ttyS", "ttyAMA", "serial"}))
        return PathKind::Input;
    return PathKind::Blocked;
}

std::optional<HandlerName> parseHandlerName(std::string_view thread)
{
    constexpr std::string_view Interrupt = "irq/", Secondary = "s-", Poll = "napi/";
    if (thread.starts_with(Poll))
        return HandlerName{thread.substr(Poll.size(), thread.rfind('-') - Poll.size()), {}};
    if (!thread.starts_with(Interrupt))
        return {};
    thread.remove_prefix(Interrupt.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(thread.data(), thread.data() + thread.size(), number);
    thread.remove_prefix(static_cast<std::size_t>(end - thread.data()));
    if (error != std::errc() || !thread.starts_with('-'))
        return {};
    thread.remove_prefix(1);
    if (thread.starts_with(Secondary))
        thread.remove_prefix(Secondary.size());
    return HandlerName{thread, number};
}

bool isSleep(std::string_view call) { return isAny(call, {"nanosleep", "clock_nanosleep"}); }

bool sendsSignals(std::string_view call)
{
    return isAny(call, {"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal", "timer_settime"});
}

PathKind kindOfWait(std::string_view call, std::string_view wakersCall)
{
    if (isAny(call, Locks))
        return PathKind::Lock;
    if (isAny(call, Children) || sendsSignals(wakersCall))
        return PathKind::Process;
    if (isAny(call, Streams) && (wakersCall.empty() || isAny(wakersCall, Writers)))
        return PathKind::Pipe;
    return PathKind::Blocked;
}

} // namespace helio
