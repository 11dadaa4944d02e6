#include "core/formats/kutrace/kutrace_codes.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace helio::kutrace {
namespace {

constexpr struct {
    std::int32_t event;
    std::string_view name;
} PointNames[] = {
    {code::WakeupArc, "kutrace:wakeup_arc"},
    {0x200, "kutrace:user_pid"},
    {0x201, "kutrace:rpc_request"},
    {0x202, "kutrace:rpc_response"},
    {0x203, "kutrace:rpc_middle"},
    {code::MessageReceived, "kutrace:rpc_message_received"},
    {code::MessageSent, "kutrace:rpc_message_sent"},
    {0x207, "kutrace:send_ipi"},
    {0x208, "kutrace:mwait"},
    {0x20a, "kutrace:mark_a"},
    {0x20b, "kutrace:mark_b"},
    {0x20c, "kutrace:mark_c"},
    {0x20d, "kutrace:mark_d"},
    {code::LeftMark, "kutrace:names"},
    {code::RightMark, "kutrace:right_mark"},
    {code::LockTry, "kutrace:lock_try"},
    {0x211, "kutrace:lock_acquire"},
    {code::LockRelease, "kutrace:lock_release"},
    {0x214, "kutrace:packet_received"},
    {0x215, "kutrace:packet_sent"},
    {0x216, "kutrace:user_packet_received"},
    {0x217, "kutrace:user_packet_sent"},
    {0x218, "kutrace:mbit_sec"},
    {0x219, "kutrace:resource"},
    {0x21a, "kutrace:enqueue"},
    {0x21b, "kutrace:dequeue"},
    {0x21c, "kutrace:frequency_change"},
    {0x21e, "kutrace:monitor_store"},
    {0x21f, "kutrace:monitor_exit"},
    {code::SampleUser, "kutrace:sample_user"},
    {code::SampleKernel, "kutrace:sample_kernel"},
    {0x282, "kutrace:lock_held"},
    {0x283, "kutrace:lock_tried"},
};

constexpr std::array<std::string_view, 26> Reasons{"a",         "b",    "cpu",  "disk",   "e",       "f", "g",    "h",      "i",
                                                   "j",         "task", "lock", "memory", "network", "o", "pipe", "q",      "rcu",
                                                   "scheduler", "time", "u",    "v",      "w",       "x", "y",    "unknown"};

constexpr struct {
    std::string_view name;
    std::string_view vector;
} Vectors[] = {
    {"local_timer_vector", "local_timer"},
    {"reschedule_ipi", "reschedule"},
    {"call_func_ipi", "call_function"},
    {"call_func1_ipi", "call_function_single"},
};

bool isBetween(std::int32_t event, std::int32_t first, std::int32_t last) { return first <= event && event <= last; }

} // namespace

Level levelOf(std::int32_t event)
{
    if (event == code::Idle || event == code::IdleExit)
        return Level::Idle;
    if (isBetween(event, code::Idle, 0x1ffff))
        return Level::User;
    if (event == code::Scheduler)
        return Level::Scheduler;
    if (event == code::Softirqs)
        return Level::Softirq;
    if (isBetween(event, 0x400, 0x4ff))
        return Level::Trap;
    if (isBetween(event, 0x500, 0x5ff))
        return Level::Irq;
    if (isBetween(event, 0x800, 0x9ff) || isBetween(event, 0xc00, 0xdff))
        return Level::Syscall;
    return Level::None;
}

std::string_view eventNameOf(std::int32_t event)
{
    if (isBetween(event, code::WaitA, code::WaitZ))
        return "kutrace:wait";
    const auto* const known = std::ranges::find(PointNames, event, [](const auto& it) { return it.event; });
    return known == std::end(PointNames) ? std::string_view("kutrace:other") : known->name;
}

std::string_view waitReasonOf(std::int32_t event) { return Reasons[static_cast<std::size_t>(event - code::WaitA)]; }

std::string_view vectorNameOf(std::string_view name)
{
    const auto* const known = std::ranges::find(Vectors, name, [](const auto& it) { return it.name; });
    return known == std::end(Vectors) ? std::string_view() : known->vector;
}

} // namespace helio::kutrace
