#include "core/analyses/locks/futex_events.h"

#include "core/event_model/running_threads.h"
#include "core/event_model/thread_fields.h"
#include "core/trace/fields/field_value.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string>
#include <unordered_map>

namespace helio::locks {
namespace {

// Bits of the operation, as in FUTEX_CMD_MASK: all bits below FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME.
constexpr std::int64_t FlagsMask = 0x7f;
constexpr std::int64_t PrivateFlag = 128;

struct NamedRole {
    FutexRole role = FutexRole::None;
    bool isNumbered = false;
};

struct NameHash : std::hash<std::string_view> {
    using is_transparent = void;
};
using NamedRoles = std::unordered_map<std::string, NamedRole, NameHash, std::equal_to<>>;

/// Returns the roles of the events, keyed by event name. Contains all names that tracers and their versions give to these events.
NamedRoles namedRoles()
{
    NamedRoles roles;
    const auto add = [&](const std::string& name, NamedRole role) {
        for (const char* subsystem : {"", "raw_syscalls:", "syscalls:", "sched:"})
            roles.emplace(subsystem + name, role);
    };
    add("sched_waking", {FutexRole::Waking, false});
    add("sched_process_exit", {FutexRole::Exit, false});
    add("sys_enter", {FutexRole::Enter, true});
    add("sys_exit", {FutexRole::Leave, true});
    add("exit_syscall", {FutexRole::Leave, false}); // Exit of any system call; the call that the thread entered before identifies it.
    for (const std::string abi : {"", "compat_"})
        for (const char* call : {"futex", "futex_time64"}) {
            for (const char* entry : {"syscall_entry_", "sys_enter_", "sys_"})
                add(abi + entry + call, {FutexRole::Enter, false});
            for (const char* exit : {"syscall_exit_", "sys_exit_"})
                add(abi + exit + call, {FutexRole::Leave, false});
        }
    return roles;
}

NamedRole roleOfName(std::string_view name, bool hasOneExit)
{
    static const NamedRoles all = namedRoles();
    const auto found = all.find(name);
    return found == all.end() || (found->second.isNumbered && hasOneExit) ? NamedRole() : found->second;
}

bool hasOneExitIn(const Trace& trace)
{
    return std::ranges::any_of(trace.eventTypes(), [](const auto& type) { return type->name == "exit_syscall"; });
}

/// Returns the number of the futex system call on the traced machine (arch/*/ and include/uapi/asm-generic/unistd.h); -1 if unknown.
std::int64_t numberOn(const Trace& trace)
{
    struct Machine {
        std::string_view begin;
        std::int64_t number;
    };
    constexpr Machine Known[] = {{"x86", 202},      {"amd64", 202},  {"i386", 240},    {"i486", 240}, {"i586", 240},
                                 {"i686", 240},     {"aarch64", 98}, {"arm64", 98},    {"arm", 240},  {"riscv", 98},
                                 {"loongarch", 98}, {"ppc", 221},    {"powerpc", 221}, {"s390", 238}};
    for (const char* key : {"machine", "architecture", "arch"})
        if (const std::string machine = trace.info().text(key); !machine.empty()) {
            const auto* const found = std::ranges::find_if(Known, [&](const Machine& it) { return machine.starts_with(it.begin); });
            return found != std::end(Known) ? found->number : -1;
        }
    return 202; // x86-64 is assumed if the architecture was not recorded: there, the futex system call has the number 202.
}

std::optional<std::int64_t> integerOf(const FieldValue& value)
{
    if (const auto* number = std::get_if<std::uint64_t>(&value.value))
        return static_cast<std::int64_t>(*number);
    const auto* number = std::get_if<std::int64_t>(&value.value);
    return number ? std::optional(*number) : std::nullopt;
}

/// Returns the arguments uaddr, op, val, utime, uaddr2 and val3 of a futex call; nullopt if not recorded.
std::optional<std::array<std::int64_t, 6>> argumentsIn(const EventView& event)
{
    for (const NamedValue& field : decodeSection(event, Section::Payload)) {
        const auto* const list = std::get_if<std::vector<FieldValue>>(&field.value.value);
        if (field.name != "args" || !list || list->size() < 6)
            continue;
        std::array<std::int64_t, 6> all{};
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = integerOf((*list)[i]).value_or(0);
        return all;
    }
    return {};
}

FutexCall callOf(std::int64_t op, std::uint64_t address, std::uint64_t second, std::optional<std::int64_t> count)
{
    return {static_cast<FutexOp>(op & FlagsMask), (op & PrivateFlag) == 0, address, second, count.value_or(0), count.has_value()};
}

} // namespace

std::string_view waitName(FutexOp op)
{
    switch (op) {
    case FutexOp::Wait: return "WAIT";
    case FutexOp::WaitBitset: return "WAIT_BITSET";
    case FutexOp::WaitRequeuePi: return "WAIT_REQUEUE_PI";
    case FutexOp::LockPi: return "LOCK_PI";
    case FutexOp::LockPi2: return "LOCK_PI2";
    default: return {};
    }
}

bool canWake(FutexOp op)
{
    return op == FutexOp::Wake || op == FutexOp::WakeBitset || op == FutexOp::WakeOp || op == FutexOp::UnlockPi || movesWaiters(op);
}

bool takesLock(FutexOp op) { return op == FutexOp::LockPi || op == FutexOp::LockPi2 || op == FutexOp::WaitRequeuePi; }

bool isForLock(const FutexCall& call)
{
    constexpr std::int64_t Contended = 2, RwlockContended = 3;
    const bool isOfKernel = takesLock(call.op) && call.op != FutexOp::WaitRequeuePi;
    return isOfKernel || !call.hasCount || call.count == Contended || call.count == RwlockContended;
}

bool movesWaiters(FutexOp op) { return op == FutexOp::Requeue || op == FutexOp::CmpRequeue || op == FutexOp::CmpRequeuePi; }

bool hasSecond(FutexOp op) { return op == FutexOp::WakeOp || op == FutexOp::WaitRequeuePi || movesWaiters(op); }

FutexEvents::FutexEvents(const Trace& trace)
    : m_number(numberOn(trace))
    , m_types(trace, [&, hasOneExit = hasOneExitIn(trace)](const auto&, EventTypeId type) { return typeOf(trace, type, hasOneExit); })
{
}

std::optional<FutexEvents::Type> FutexEvents::typeOf(const Trace& trace, EventTypeId number, bool hasOneExit)
{
    const EventType& type = trace.eventTypes()[number];
    const NamedRole known = roleOfName(type.name, hasOneExit);
    if (known.role == FutexRole::None || isSampled(trace, number))
        return {};
    Type it;
    it.role = known.role;
    it.isNumbered = known.isNumbered;
    it.number = payloadField(type, {"id", "nr"});
    it.address = payloadField(type, {"uaddr"});
    it.op = payloadField(type, {"op"});
    it.count = payloadField(type, {"val"});
    it.second = payloadField(type, {"uaddr2"});
    it.result = payloadField(type, {"ret"});
    it.tid = payloadField(type, {"tid", "pid"});
    return it;
}

bool FutexEvents::isFutex(const Type& type, const EventView& event) const
{
    return !type.isNumbered || (m_number >= 0 && type.number.integerOr(event, -1) == m_number);
}

std::optional<FutexCall> FutexEvents::call(const EventView& event) const
{
    const Type& type = of(event);
    if (!isFutex(type, event))
        return {};
    if (type.isNumbered) {
        const auto all = argumentsIn(event);
        return all
            ? std::optional(callOf((*all)[1], static_cast<std::uint64_t>((*all)[0]), static_cast<std::uint64_t>((*all)[4]), (*all)[2]))
            : std::nullopt;
    }
    const auto address = type.address.isValid() ? type.address.integer(event) : std::nullopt;
    const auto op = type.op.isValid() ? type.op.integer(event) : std::nullopt;
    if (!address || !op)
        return {};
    return callOf(*op, static_cast<std::uint64_t>(*address), static_cast<std::uint64_t>(type.second.integerOr(event, 0)),
                  type.count.integer(event));
}

std::optional<std::int64_t> FutexEvents::result(const EventView& event) const
{
    const Type& type = of(event);
    return isFutex(type, event) && type.result.isValid() ? type.result.integer(event) : std::nullopt;
}

std::int32_t FutexEvents::thread(const EventView& event) const
{
    const std::int64_t tid = of(event).tid.integerOr(event, -1);
    return tid > 0 && tid <= INT32_MAX ? static_cast<std::int32_t>(tid) : -1;
}

bool hasFutexes(const Trace& trace)
{
    const bool hasOneExit = hasOneExitIn(trace), areSwitched = hasSwitches(trace);
    bool isEntered = false, isLeft = false;
    std::size_t number = 0;
    for (const auto& type : trace.eventTypes()) {
        const FutexRole role = roleOfName(type->name, hasOneExit).role;
        const bool isCall = role == FutexRole::Enter || role == FutexRole::Leave;
        if (isCall && !isSampled(trace, static_cast<EventTypeId>(number)) && (areSwitched || ThreadFields(*type).hasThread())) {
            isEntered = isEntered || role == FutexRole::Enter;
            isLeft = isLeft || role == FutexRole::Leave;
        }
        ++number;
    }
    return isEntered && isLeft;
}

} // namespace helio::locks
