#include "core/analyses/kernel/interrupts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helio::kernel {
namespace {

constexpr std::array<std::string_view, 10> SoftirqNames{"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                                        "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};
constexpr std::array<std::string_view, 3> KeyWords{"irq:", "ipi:", "softirq:"};

/// Returns the sort key of an interrupt's row. The row of an interrupt on one CPU is after the rows of the CPU's thread and frequency. The
/// row of an interrupt on all CPUs together is after the rows of all CPUs.
std::int32_t sortKeyOf(InterruptKind kind, std::int64_t number)
{
    const auto group = static_cast<std::int32_t>(kind) + 1;
    return group * 0x10000000 + static_cast<std::int32_t>(number & 0x0fffffff);
}

std::uint64_t packedKey(const Cpu* cpu, InterruptKind kind, std::int64_t number)
{
    const std::uint64_t place = cpu ? static_cast<std::uint64_t>(cpu->number) : 0xfffffff;
    return static_cast<std::uint64_t>(kind) << 60 | place << 32 | static_cast<std::uint32_t>(number);
}

std::string_view softirqName(InterruptKind kind, std::int64_t number)
{
    const bool isNamed = kind == InterruptKind::Softirq && number >= 0 && number < static_cast<std::int64_t>(SoftirqNames.size());
    return isNamed ? SoftirqNames[static_cast<std::size_t>(number)] : std::string_view();
}

} // namespace

Interrupts::Interrupts(StateSink& sink)
    : m_sink(sink)
    , m_irqStates(*sink.stateSet(irqStates()))
    , m_softirqStates(*sink.stateSet(softirqStates()))
{
}

std::uint32_t Interrupts::rowOf(const Cpu* cpu, InterruptKind kind, std::int64_t number, std::string_view name)
{
    const std::uint32_t known = m_byKey.find(packedKey(cpu, kind, number));
    return known != FlatMap::Missing ? known : addRow(cpu, kind, number, name);
}

std::uint32_t Interrupts::addRow(const Cpu* cpu, InterruptKind kind, std::int64_t number, std::string_view name)
{
    const std::uint32_t total = cpu ? rowOf(nullptr, kind, number, name) : 0;
    if (name.empty())
        name = softirqName(kind, number);
    const std::string digits = std::to_string(number);
    Track track;
    track.view = "resources";
    track.role = TrackRole::Interrupt;
    track.kind = kind == InterruptKind::Softirq ? "softirq" : "irq";
    track.key = cpu ? "cpu:" + std::to_string(cpu->number) + "/" : "";
    track.key.append(KeyWords[static_cast<std::size_t>(kind)]).append(digits);
    track.label = name.empty() ? digits : std::string(name) + " (" + digits + ")";
    track.parent = cpu ? cpu->track : NoTrack;
    track.states = kind == InterruptKind::Softirq ? m_softirqStates : m_irqStates;
    track.valueKind = ValueKind::Text;
    track.cpu = cpu ? cpu->number : -1;
    track.sortKey = sortKeyOf(kind, number);

    const auto index = static_cast<std::uint32_t>(m_rows.size());
    Row row;
    row.track = m_sink.addTrack(std::move(track));
    row.total = total;
    setName(row, name.empty() ? digits : name);
    m_rows.push_back(std::move(row));
    m_byKey.put(packedKey(cpu, kind, number), index);
    m_sink.set(m_begin, m_rows[index].track, toState(IrqState::Inactive));
    if (cpu) {
        const auto place = static_cast<std::size_t>(cpu->number);
        if (m_rowsOfCpu.size() <= place)
            m_rowsOfCpu.resize(place + 1);
        m_rowsOfCpu[place].push_back(index);
    }
    return index;
}

void Interrupts::setName(Row& row, std::string_view name)
{
    if (name.empty() || row.name == name)
        return;
    row.name = name;
    row.nameId = m_sink.string(name);
}

void Interrupts::storeState(HostTimestamp at, const Row& row)
{
    const IrqState state = row.isLost ? IrqState::Unknown
        : row.active > 0              ? IrqState::Active
        : row.raised > 0              ? IrqState::Raised
                                      : IrqState::Inactive;
    m_sink.set(at, row.track, toState(state), state == IrqState::Active ? static_cast<std::uint32_t>(row.nameId) : 0);
}

void Interrupts::setActive(HostTimestamp at, std::uint32_t index, bool isActive)
{
    Row& row = m_rows[index];
    if (row.isActive == isActive)
        return;
    Row& total = m_rows[row.total];
    row.isActive = isActive;
    row.active = isActive ? 1 : 0;
    total.active = isActive ? total.active + 1 : total.active - 1;
    if (isActive)
        setName(total, row.name);
    storeState(at, row);
    storeState(at, total);
}

void Interrupts::setRaised(HostTimestamp at, std::uint32_t index, bool isRaised)
{
    Row& row = m_rows[index];
    if (row.isRaised == isRaised)
        return;
    Row& total = m_rows[row.total];
    row.isRaised = isRaised;
    row.raised = isRaised ? 1 : 0;
    total.raised = isRaised ? total.raised + 1 : total.raised - 1;
    storeState(at, row);
    storeState(at, total);
}

/// Records that the handler ended at an unknown time between its entry and `at`.
void Interrupts::loseExit(HostTimestamp at, const Handler& handler)
{
    ++m_lostExits;
    Row& row = m_rows[handler.row];
    for (Row* it : {&row, &m_rows[row.total]}) {
        const bool wasLost = std::exchange(it->isLost, true);
        storeState(handler.since, *it);
        it->isLost = wasLost;
    }
    setActive(at, handler.row, false);
    // Store the state again: the interrupt may still be handled on other CPUs, and then its row for all CPUs stays active.
    storeState(at, m_rows[row.total]);
}

/// Ends the hard interrupts at nesting depth `depth` and deeper, because their exits are missing.
std::optional<HostTimestamp> Interrupts::loseIrqExits(HostTimestamp at, Cpu& cpu, std::uint32_t depth)
{
    if (depth >= cpu.irqCount)
        return {};
    const HostTimestamp since = cpu.irqs[depth].since;
    while (cpu.irqCount > depth)
        loseExit(at, cpu.irqs[--cpu.irqCount]);
    return since;
}

std::optional<HostTimestamp> Interrupts::loseSoftirqExit(HostTimestamp at, Cpu& cpu)
{
    if (!std::exchange(cpu.isInSoftirq, false))
        return {};
    loseExit(at, cpu.softirq);
    return cpu.softirq.since;
}

std::optional<HostTimestamp> Interrupts::loseExits(HostTimestamp at, Cpu& cpu)
{
    const auto irqs = loseIrqExits(at, cpu, 0);
    const auto softirq = loseSoftirqExit(at, cpu);
    cpu.timers = {};
    return irqs && softirq ? std::min(*irqs, *softirq) : irqs ? irqs : softirq;
}

std::optional<HostTimestamp> Interrupts::enter(HostTimestamp at, Cpu& cpu, InterruptKind kind, std::int64_t number, std::string_view name)
{
    const std::uint32_t index = rowOf(&cpu, kind, number, name);
    setName(m_rows[index], name);
    const Handler handler{index, m_rows[index].nameId, number, at};
    std::optional<HostTimestamp> lost;
    if (kind == InterruptKind::Softirq) {
        lost = loseSoftirqExit(at, cpu);
        if (cpu.current && !m_suspended.empty()) // A thread is in at most one softirq, so the thread's suspended softirq has ended.
            m_suspended.erase({cpu.number, cpu.current->tid});
        cpu.softirq = handler;
        cpu.isInSoftirq = true;
        setRaised(at, index, false);
    } else {
        const Handler* const begin = cpu.irqs.data();
        const Handler* const end = begin + cpu.irqCount;
        const Handler* const same = std::find_if(begin, end, [&](const Handler& it) { return it.row == index; });
        lost = loseIrqExits(at, cpu, static_cast<std::uint32_t>(same - begin));
        if (cpu.irqCount == cpu.irqs.size())
            return lost;
        cpu.irqs[cpu.irqCount++] = handler;
    }
    setActive(at, index, true);
    return lost;
}

void Interrupts::suspendSoftirq(HostTimestamp at, Cpu& cpu, std::int32_t tid)
{
    // Maximum number of suspended softirqs. Without this limit, softirqs whose exits are missing would accumulate.
    constexpr std::size_t MostSuspended = 10'000;
    if (!cpu.isInSoftirq || tid == 0 || m_arePreemptible == false || m_suspended.size() >= MostSuspended)
        return;
    m_suspended.insert_or_assign({cpu.number, tid}, cpu.softirq);
    if (!m_arePreemptible)
        return;
    cpu.isInSoftirq = false;
    setActive(at, cpu.softirq.row, false);
}

void Interrupts::resumeSoftirq(HostTimestamp at, Cpu& cpu, std::int32_t tid)
{
    const auto found = m_arePreemptible == true ? m_suspended.find({cpu.number, tid}) : m_suspended.end();
    if (found == m_suspended.end())
        return;
    cpu.softirq = found->second;
    cpu.softirq.since = at;
    cpu.isInSoftirq = true;
    m_suspended.erase(found);
    setActive(at, cpu.softirq.row, true);
}

/// Returns true if the exit belongs to a softirq whose thread was switched out in the meantime. The softirq was preempted in this case, so
/// its exit was not missing.
bool Interrupts::wasPreempted(const Cpu& cpu, std::uint32_t index)
{
    const auto found = cpu.current ? m_suspended.find({cpu.number, cpu.current->tid}) : m_suspended.end();
    if (found == m_suspended.end() || found->second.row != index)
        return false;
    m_suspended.erase(found);
    m_arePreemptible = true;
    m_lostExits -= m_lostExits > 0 ? 1 : 0;
    return true;
}

bool Interrupts::leave(HostTimestamp at, Cpu& cpu, InterruptKind kind, std::int64_t number)
{
    const std::uint32_t index = m_byKey.find(packedKey(&cpu, kind, number));
    if (index == FlatMap::Missing || !m_rows[index].isActive)
        return index != FlatMap::Missing && kind == InterruptKind::Softirq && wasPreempted(cpu, index);
    if (kind == InterruptKind::Softirq) {
        cpu.isInSoftirq = false;
        setActive(at, index, false);
        return true;
    }
    // Handlers nested inside this handler must have ended, too.
    while (cpu.irqCount > 0) {
        const std::uint32_t inner = cpu.irqs[--cpu.irqCount].row;
        setActive(at, inner, false);
        if (inner == index)
            break;
    }
    return true;
}

void Interrupts::raise(HostTimestamp at, Cpu& cpu, std::int64_t vector)
{
    setRaised(at, rowOf(&cpu, InterruptKind::Softirq, vector, {}), true);
}

void Interrupts::drop(HostTimestamp at, Cpu& cpu)
{
    while (cpu.irqCount > 0)
        setActive(at, cpu.irqs[--cpu.irqCount].row, false);
    if (cpu.isInSoftirq)
        setActive(at, cpu.softirq.row, false);
    cpu.isInSoftirq = false;
    cpu.timers = {};
}

void Interrupts::lose(HostTimestamp at, Cpu& cpu)
{
    drop(at, cpu);
    std::erase_if(m_suspended, [&](const auto& it) { return it.first.first == cpu.number; });
    const auto place = static_cast<std::size_t>(cpu.number);
    if (place >= m_rowsOfCpu.size() || m_rowsOfCpu[place].size() > m_marksLeft)
        return;
    m_marksLeft -= m_rowsOfCpu[place].size();
    cpu.hasLostRows = true;
    for (const std::uint32_t index : m_rowsOfCpu[place]) {
        setRaised(at, index, false);
        m_rows[index].isLost = true;
        storeState(at, m_rows[index]);
    }
}

void Interrupts::recover(HostTimestamp at, Cpu& cpu)
{
    drop(at, cpu);
    if (!cpu.hasLostRows)
        return;
    cpu.hasLostRows = false;
    for (const std::uint32_t index : m_rowsOfCpu[static_cast<std::size_t>(cpu.number)]) {
        m_rows[index].isLost = false;
        setRaised(at, index, false);
        storeState(at, m_rows[index]);
    }
}

} // namespace helio::kernel
