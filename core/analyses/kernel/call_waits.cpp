#include "core/analyses/kernel/call_waits.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <utility>

namespace helio::kernel {
namespace {

constexpr std::size_t MostNames = 64; ///< Maximum number of pipe and socket names that are read from the arguments of one system call.

bool isAny(std::string_view name, std::initializer_list<std::string_view> names) { return std::ranges::find(names, name) != names.end(); }

/// Removes the first argument from the list `arguments` and returns it without blanks. Arguments are separated by commas.
std::string_view takeArgument(std::string_view& arguments)
{
    const std::size_t comma = std::min(arguments.find(','), arguments.size());
    std::string_view first = arguments.substr(0, comma);
    arguments.remove_prefix(std::min(comma + 1, arguments.size()));
    while (first.starts_with(' '))
        first.remove_prefix(1);
    while (first.ends_with(' '))
        first.remove_suffix(1);
    return first;
}

/// Returns the decimal number at the start of `text`; nullopt if `text` begins with no number.
std::optional<std::int64_t> numberAt(std::string_view text)
{
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

/// Returns the names that strace -y and -yy print in angle brackets after file descriptors, for pipes and sockets only: "pipe:[12]",
/// "UNIX-STREAM:[12->13]". Such a name identifies the pipe or socket. `isSingle`: read only the name in the first argument.
std::vector<std::string_view> namesIn(std::string_view arguments, bool isSingle)
{
    std::vector<std::string_view> names;
    std::size_t last = 0; ///< End of the part of `arguments` that was searched already.
    for (std::size_t end = arguments.find("]>"); end != std::string_view::npos && names.size() < MostNames;
         end = arguments.find("]>", end + 1)) {
        const std::size_t open = arguments.substr(last, end - last).rfind('<');
        const std::size_t from = last + open + 1;
        last = end;
        if (open == std::string_view::npos)
            continue;
        if (isSingle && arguments.substr(0, from).find_first_of(",\"") != std::string_view::npos)
            break;
        const std::string_view name = arguments.substr(from, end + 1 - from);
        const std::size_t number = name.find(":[");
        // Names without a number, e.g. "anon_inode:[eventfd]", identify no single object and are left out.
        if (number != std::string_view::npos && name.find_first_of("0123456789", number) != std::string_view::npos
            && name.find('"') == std::string_view::npos)
            names.push_back(name);
    }
    return names;
}

/// Returns the name of the socket at the other end of a connection: "TCP:[b->a]" for "TCP:[a->b]". Returns `name` itself for a pipe.
std::string otherEnd(std::string_view name)
{
    const std::size_t open = name.find(":[");
    const std::size_t arrow = name.find("->");
    if (arrow == std::string_view::npos || open == std::string_view::npos || arrow < open + 2)
        return std::string(name);
    const std::string_view from = name.substr(open + 2, arrow - open - 2);
    const std::string_view to = name.substr(arrow + 2, name.size() - arrow - 3);
    return std::string(name.substr(0, open + 2)) + std::string(to) + "->" + std::string(from) + "]";
}

// The following functions return keys of m_waiters for threads that wait for data in a pipe or socket, for space in its buffer, and for the
// exit of a thread.
std::string dataKey(std::string_view name) { return "data " + otherEnd(name); }
std::string spaceKey(std::string_view name) { return "space " + std::string(name); }
std::string exitKey(std::int64_t tid) { return "exit " + std::to_string(tid); }

/// True if the timeout in the arguments of poll(), ppoll(), select() or pselect6() is 0.
bool hasNoTime(std::string_view arguments)
{
    return arguments.ends_with(", 0") || arguments.find("{tv_sec=0, tv_nsec=0}") != std::string_view::npos
        || arguments.find("{tv_sec=0, tv_usec=0}") != std::string_view::npos;
}

/// True if `error`, the error name in a system call's result, says that a signal interrupted the call. Only a call that waits can be
/// interrupted.
bool isInterruption(std::string_view error) { return error == "EINTR" || error.starts_with("ERESTART"); }

/// Mask for the command in the second argument of futex(2), without flags such as FUTEX_PRIVATE_FLAG (FutexPrivate). Needed because ltrace
/// prints this argument as a number.
constexpr std::int64_t FutexCommands = 0x7f;
constexpr std::int64_t FutexPrivate = 0x80;

} // namespace

CallWaits::Kind CallWaits::kindOf(std::string_view call)
{
    if (isAny(call, {"nanosleep", "clock_nanosleep"}))
        return Kind::Sleep;
    if (isAny(call, {"pause", "rt_sigsuspend", "sigsuspend"}))
        return Kind::Pause;
    if (isAny(call, {"futex", "futex_time64"}))
        return Kind::Futex;
    if (isAny(call, {"wait4", "waitpid", "waitid"}))
        return Kind::Child;
    if (isAny(call, {"read", "readv", "recvfrom", "recvmsg", "recv"}))
        return Kind::Read;
    if (isAny(call, {"write", "writev", "sendto", "sendmsg", "send"}))
        return Kind::Write;
    if (isAny(call, {"poll", "ppoll", "select", "pselect6"}))
        return Kind::Poll;
    if (isAny(call, {"fsync", "fdatasync", "syncfs", "sync"}))
        return Kind::Disk;
    if (isAny(call, {"kill", "tkill", "tgkill"}))
        return Kind::Kill;
    if (isAny(call, {"exit", "exit_group"}))
        return Kind::Exit;
    return isAny(call, {"close", "shutdown"}) ? Kind::Close : Kind::Other;
}

CallWaits::CallWaits(const Trace& trace)
{
    // Most traces are no logs of system calls. For them, nothing else is looked up, because traces of LTTng have hundreds of types.
    const auto isEntry = [](const EventType& type) { return type.name.starts_with("syscall_entry_"); };
    m_hasCalls = std::ranges::any_of(
        trace.eventTypes(), [&](const auto& type) { return isEntry(*type) && FieldRef(*type, Section::Payload, "args").isText(); });
    if (!m_hasCalls)
        return;
    for (const auto& type : trace.eventTypes()) {
        CallType& it = m_types.emplace_back();
        std::string_view name = type->name;
        if (!isEntry(*type) && !name.starts_with("syscall_exit_"))
            continue;
        name.remove_prefix(name.find('_', name.find('_') + 1) + 1);
        it.kind = kindOf(name);
        it.arguments = FieldRef(*type, Section::Payload, "args");
        it.result = FieldRef(*type, Section::Payload, "ret");
        it.error = FieldRef(*type, Section::Payload, "error");
    }
}

void CallWaits::await(std::int32_t tid, OpenCall& call, std::string key)
{
    m_waiters[key].push_back(tid);
    call.awaited.push_back(std::move(key));
}

void CallWaits::wake(std::int32_t tid, HostTimestamp at, const std::string& key, bool isFirst)
{
    const auto waiters = m_waiters.find(key);
    if (waiters == m_waiters.end())
        return;
    for (const std::int32_t waiter : waiters->second) {
        OpenCall& call = m_open[waiter];
        if (waiter != tid && !(isFirst && call.wake.waker >= 0))
            call.wake = {false, tid, at};
    }
}

/// Processes the entry of futex(2), whose `arguments` begin with an address, a command and a value: wakes other threads, or registers the
/// thread as waiting.
void CallWaits::onFutex(std::int32_t tid, std::int32_t pid, OpenCall& call, std::string_view arguments)
{
    const std::string_view address = takeArgument(arguments);
    const std::string_view command = takeArgument(arguments);
    const auto number = numberAt(command);
    const auto has = [&](std::string_view word) { return !number && command.find(word) != std::string_view::npos; };
    const auto isAnyOf = [&](std::initializer_list<std::int64_t> commands) {
        return number && std::ranges::find(commands, *number & FutexCommands) != commands.end();
    };
    const bool isPrivate = has("_PRIVATE") || (number && (*number & FutexPrivate) != 0);
    const std::string key = "futex " + std::string(address) + (isPrivate ? " of " + std::to_string(pid) : std::string());
    call.isFutexWait = has("FUTEX_WAIT") || has("FUTEX_LOCK") || isAnyOf({0, 6, 9, 11, 13});
    if (!call.isFutexWait)
        return wake(tid, call.begin, key, false);
    await(tid, call, key);
    // pthread_join() waits on a futex word that contains the TID of the other thread. The kernel wakes the waiter when the other thread
    // exits.
    if (const auto value = numberAt(takeArgument(arguments));
        value && *value > 1 && *value != tid && m_open.contains(static_cast<std::int32_t>(*value)))
        await(tid, call, exitKey(*value));
}

void CallWaits::onEntry(std::int32_t tid, std::int32_t pid, EventTypeId type, const EventView& event)
{
    const CallType& it = m_types[static_cast<std::size_t>(type)];
    close(tid, m_open[tid]);
    OpenCall& call = m_open[tid];
    call = {};
    call.kind = it.kind;
    call.begin = event.time();
    if (it.kind == Kind::Other)
        return;
    const std::string_view arguments = it.arguments.text(event);
    const bool isSingle = it.kind != Kind::Poll;
    switch (it.kind) {
    case Kind::Futex: return onFutex(tid, pid, call, arguments);
    case Kind::Read:
    case Kind::Poll:
        call.isImmediate = !isSingle && hasNoTime(arguments);
        for (const std::string_view name : namesIn(arguments, isSingle)) {
            await(tid, call, dataKey(name));
            if (isSingle)
                wake(tid, call.begin, spaceKey(name), true);
        }
        return;
    case Kind::Write:
    case Kind::Close:
        for (const std::string_view name : namesIn(arguments, true)) {
            wake(tid, call.begin, "data " + std::string(name), true);
            if (it.kind == Kind::Write)
                await(tid, call, spaceKey(otherEnd(name)));
        }
        return;
    case Kind::Kill:
        if (const auto target = numberAt(arguments))
            m_kills[static_cast<std::int32_t>(*target)] = {false, tid, call.begin};
        return;
    case Kind::Exit:
        m_exits[tid] = call.begin;
        wake(tid, call.begin, exitKey(tid), true);
        return;
    default: return;
    }
}

/// Returns the wait in `call`, which returns now with `result` and `error`; nullopt if it is not known whether the thread waited in the
/// call.
std::optional<CallWaits::Outcome> CallWaits::findWait(std::int32_t tid, std::int32_t pid, const OpenCall& call, std::int64_t result,
                                                      std::string_view error) const
{
    const auto waitIf = [](bool hasWaited, const Outcome& wait = {}) { return hasWaited ? std::optional(wait) : std::nullopt; };
    if (isInterruption(error)) {
        for (const std::int32_t target : {tid, pid})
            if (const auto kill = m_kills.find(target);
                kill != m_kills.end() && kill->second.wokenAt >= call.begin && kill->second.waker != tid)
                return kill->second;
        return Outcome{};
    }
    switch (call.kind) {
    case Kind::Sleep:
    case Kind::Disk: return waitIf(result == 0);
    case Kind::Pause: return Outcome{};
    case Kind::Futex: return result == 0 ? waitIf(call.isFutexWait, call.wake) : waitIf(call.isFutexWait && error == "ETIMEDOUT");
    case Kind::Child: {
        const auto exit = m_exits.find(static_cast<std::int32_t>(result));
        return result > 0 && exit != m_exits.end() && exit->second >= call.begin ? std::optional(Outcome{false, exit->first, exit->second})
                                                                                 : std::nullopt;
    }
    case Kind::Poll:
        if (call.isImmediate || (result == 0 && call.wake.waker < 0))
            return waitIf(!call.isImmediate); // The call returned because its timeout expired.
        [[fallthrough]];
    case Kind::Read:
    case Kind::Write: return waitIf(call.wake.waker >= 0, call.wake);
    default: return {};
    }
}

std::optional<CallWaits::Outcome> CallWaits::onExit(std::int32_t tid, std::int32_t pid, EventTypeId type, const EventView& event)
{
    const auto open = m_open.find(tid);
    if (open == m_open.end())
        return {};
    const CallType& it = m_types[static_cast<std::size_t>(type)];
    const std::string_view error = it.error.text(event);
    auto outcome = findWait(tid, pid, open->second, it.result.integerOr(event, -1), error);
    close(tid, open->second);
    return !outcome && !error.empty() ? std::optional(Outcome{true, -1, {}}) : outcome;
}

/// Removes the thread of `call` from the lists of waiting threads, and resets `call`.
void CallWaits::close(std::int32_t tid, OpenCall& call)
{
    for (const std::string& key : call.awaited) {
        const auto waiters = m_waiters.find(key);
        if (waiters == m_waiters.end())
            continue;
        std::erase(waiters->second, tid);
        if (waiters->second.empty())
            m_waiters.erase(waiters);
    }
    call = {};
}

} // namespace helio::kernel
