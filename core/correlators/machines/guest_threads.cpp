#include "core/correlators/machines/guest_threads.h"

#include "core/correlation/row_note.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio::machine_rows {

GuestThreads::GuestThreads(const Timeline& timeline, const std::vector<VirtualMachine>& all, VcpuWaitFinder& absences, StateSink& sink)
    : m_timeline(timeline)
    , m_machines(all)
    , m_absences(absences)
    , m_sink(sink)
{
}

const GuestThreads::States& GuestThreads::statesOf(TrackRef row)
{
    const StateSet& ofGuest = helio::statesOf(m_timeline, row);
    if (const auto known = std::ranges::find(m_states, ofGuest, &States::ofGuest); known != m_states.end())
        return *known;
    StateSet set = ofGuest;
    const bool isCpu = trackOf(m_timeline, row)->role == TrackRole::Cpu;
    const auto known = std::ranges::count(m_states, isCpu, &States::isCpu);
    set.id = (isCpu ? "vm-cpu" : "vm-thread") + (known == 0 ? std::string() : '#' + std::to_string(known + 1));
    set.title = isCpu ? "Guest CPUs" : "Guest threads";
    States states{ofGuest, isCpu, {}, {}};
    if (set.states.size() < MostStates) {
        states.stolen = static_cast<State>(set.states.size());
        set.states.push_back(stolenState());
    }
    if (const auto id = m_sink.stateSet(set))
        states.id = *id;
    return m_states.emplace_back(std::move(states));
}

void GuestThreads::write(std::uint32_t machine, TrackId parent, std::string_view view, const std::stop_token& stop)
{
    const VirtualMachine& of = m_machines[machine];
    if (of.guestTrace == NoTraceIndex)
        return;
    const auto stolen = findStealIntervals(m_timeline, m_machines, machine, m_absences, stop);
    static const std::vector<StealInterval> Nothing;
    // Without traces of both host and guest, steal time is unknown; the rows then equal the rows of the guest.
    const auto isSeenFromBothSides = [](const VcpuBinding& it) { return it.thread.isValid() && it.guestThreads.isValid(); };
    const auto source = std::ranges::any_of(of.vcpus, isSeenFromBothSides) ? RowNote::Source::Inside : RowNote::Source::Same;
    std::int32_t order = 0;
    forEachStoreOf(m_timeline, of.guestTrace, [&](StoreIndex index, const Store& store) {
        if (isOfAllTraces(m_timeline, index))
            return;
        forEachTrack(index, store, TrackRole::Thread, [&](TrackRef ref, const Track& thread) {
            if (thread.view.empty() || thread.intervals == 0 || stop.stop_requested())
                return;
            const States& states = statesOf(ref);
            Track row;
            row.view = view;
            row.kind = thread.kind;
            row.key = rowIdOf(of) + '/' + thread.key;
            row.label = thread.label;
            row.parent = parent;
            row.states = states.id;
            row.valueKind = ValueKind::Text;
            row.pid = thread.pid;
            row.tid = thread.tid;
            row.isKernelThread = thread.isKernelThread;
            constexpr std::int32_t BehindVcpus = 1 << 16;
            row.sortKey = BehindVcpus + order++;
            const TrackId id = m_sink.addTrack(std::move(row));
            m_sink.addTrack(noteTrack({of.guestTrace, -1, ref, source, {}}, id, rowIdOf(of) + '/' + thread.key));
            const auto found = stolen.find({VcpuOccupant::Kind::Thread, ref});
            writeRow(thread, ref, id, states, machine, found == stolen.end() ? Nothing : found->second, stop);
        });
    });
}

void GuestThreads::writeCpu(std::uint32_t machine, std::uint32_t vcpu, TrackId parent, const std::stop_token& stop)
{
    const VirtualMachine& of = m_machines[machine];
    const TrackRef ref = of.vcpus[vcpu].guestCpu;
    const Track& cpu = *trackOf(m_timeline, ref);
    const States& states = statesOf(ref);
    Track row;
    row.kind = cpu.kind;
    row.key = rowIdOf(of, of.vcpus[vcpu]) + "/inside";
    row.label = cpu.label;
    row.parent = parent;
    row.states = states.id;
    row.valueKind = ValueKind::Text;
    row.cpu = cpu.cpu;
    const std::string key = row.key;
    const TrackId id = m_sink.addTrack(std::move(row));
    m_sink.addTrack(noteTrack({of.guestTrace, -1, ref, RowNote::Source::Inside, {}}, id, key));
    std::vector<StealInterval> stolen;
    const auto& absences = m_absences.of(machine, vcpu).all;
    for (std::uint32_t i = 0; i < absences.size(); ++i)
        if (absences[i].isPreempted)
            stolen.push_back({absences[i].range, vcpu, i});
    writeRow(cpu, ref, id, states, machine, stolen, stop);
}

StringId GuestThreads::culpritsOf(std::uint32_t machine, const StealInterval& it)
{
    const VcpuWaitList& absences = m_absences.of(machine, it.vcpu);
    return m_sink.string(m_absences.textOf(absences, absences.all[it.absence]));
}

void GuestThreads::writeRow(const Track& thread, TrackRef ref, TrackId row, const States& states, std::uint32_t machine,
                            const std::vector<StealInterval>& stolen, const std::stop_token& stop)
{
    machines::RowCursor cursor(m_timeline, ref);
    CopiedTexts texts(m_timeline, ref, m_sink);
    std::size_t next = 0;
    cursor.each(cursor.life(), [&](const Interval& it) {
        if (stop.stop_requested())
            return;
        const auto own = [&](Timestamp at) {
            const StringId value = thread.valueKind == ValueKind::None ? StringId{} : texts.of(it.value);
            m_sink.set(onAxis(at), row, it.state, static_cast<std::uint32_t>(value));
        };
        Timestamp known = it.range.begin;
        const bool isRunning = isOnCpu(meaningOf(m_timeline, ref, it.state)) && states.stolen;
        while (next < stolen.size() && stolen[next].range.end <= known)
            ++next;
        for (std::size_t i = next; isRunning && i < stolen.size() && stolen[i].range.begin < it.range.end; ++i) {
            const TimeRange gone = stolen[i].range.clippedTo(it.range);
            if (known < gone.begin)
                own(known);
            m_sink.set(onAxis(gone.begin), row, *states.stolen, static_cast<std::uint32_t>(culpritsOf(machine, stolen[i])));
            known = gone.end;
        }
        if (known < it.range.end)
            own(known);
    });
    m_sink.end(onAxis(cursor.life().end), row);
}

} // namespace helio::machine_rows
