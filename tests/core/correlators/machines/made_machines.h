#pragma once

// MadeMachines: hosts and guests that a test writes event by event, and the rows of their virtual machines as text.

#include "core/correlation/guests.h"
#include "core/experiment/timeline.h"
#include "core/virtualization/bindings.h"
#include "tests/core/analyses/kernel/kernel_script.h"

#include <cstdlib>
#include <memory>
#include <string>

namespace helio::test {

/// A synthetic kernel trace with kvm events; exit codes are those of AMD processors by default.
class KvmScript : public KernelScript {
public:
    KvmScript& exit(std::int64_t time, int cpu, int vcpu, int reason, int isa = 2)
    {
        event(time, cpu, "kvm_x86_exit", {{"exit_reason", reason}, {"isa", isa}, {"vcpu_id", vcpu}});
        return *this;
    }
    /// Adds a VM entry. The default of `vcpu` is no valid vCPU number: some tracers record such values instead of the number.
    KvmScript& entry(std::int64_t time, int cpu, std::int64_t vcpu = 343'809'104)
    {
        event(time, cpu, "kvm_x86_entry", {{"vcpu_id", vcpu}});
        return *this;
    }
    /// Adds a switch to a thread with the given name.
    KvmScript& comes(std::int64_t time, int cpu, std::int64_t prev, const char* prevName, std::int64_t state, std::int64_t next,
                     const char* name)
    {
        event(time, cpu, "sched_switch",
              {{"prev_comm", prevName},
               {"prev_tid", prev},
               {"prev_prio", 20},
               {"prev_state", state},
               {"next_comm", name},
               {"next_tid", next},
               {"next_prio", 20}});
        return *this;
    }
};

constexpr int Halt = 0x78, Interrupt = 0x60, Msr = 0x7c; ///< Exit codes of AMD processors.

class MadeMachines {
public:
    /// Runs the script and adds its trace; `end` as in run(). `clock`: offset from the trace's clock to the experiment's.
    std::uint32_t add(const std::shared_ptr<KvmScript>& script, const std::string& host, std::int64_t end, Duration clock = {})
    {
        script->run(end);
        const auto kernel = script->sharedStore();
        const auto trace = static_cast<std::uint32_t>(m_timeline.traces.size());
        auto it = std::ranges::find(m_timeline.hosts, host, &TimelineHost::label);
        if (it == m_timeline.hosts.end())
            it = m_timeline.hosts.insert(it, TimelineHost{host, host});
        TimelineTrace& added = m_timeline.traces.emplace_back();
        added.trace = script;
        added.facts = kernel;
        added.clock = ClockTransform(clock);
        added.host = static_cast<std::uint32_t>(it - m_timeline.hosts.begin());
        m_timeline.stores.push_back({trace, kernel, true});
        if (const AnalysisKind& kvm = analysisOf("kvm"); kvm.appliesTo(*script)) {
            script->run(end, KernelScript::Gaps::ReportedAtBegin, kvm, {kernel});
            m_timeline.stores.push_back({trace, script->sharedStore(), true});
        }
        const TimeRange own = added.clock(kernel->summary().range);
        m_timeline.range =
            trace == 0 ? own : TimeRange{std::min(m_timeline.range.begin, own.begin), std::max(m_timeline.range.end, own.end)};
        return trace;
    }

    /// Adds another store to a trace of the timeline.
    void addStore(std::uint32_t trace, std::shared_ptr<const Store> store) { m_timeline.stores.push_back({trace, std::move(store), true}); }

    /// Adds a hypercall message, which proves that the host's thread runs the guest's CPU.
    void addHypercall(std::uint32_t hostTrace, std::int32_t tid, std::uint32_t guestTrace, std::int32_t guestCpu = 0)
    {
        Transmission message;
        message.fromTrace = guestTrace;
        message.toTrace = hostTrace;
        message.fromCpu = guestCpu;
        message.receiver = tid;
        m_messages.all.push_back(message);
    }
    /// Makes the host's clock unrelated to all other hosts' clocks.
    void makeUnrelated(const std::string& host) { std::ranges::find(m_timeline.hosts, host, &TimelineHost::label)->isSynchronized = false; }
    /// Makes the clock of `host` follow the clock of `other`, so that their times can be compared.
    void setClockPath(const std::string& host, const std::string& other)
    {
        const auto place = [&](const std::string& it) { return std::ranges::find(m_timeline.hosts, it, &TimelineHost::label); };
        place(host)->path.hosts = {static_cast<std::uint32_t>(place(other) - m_timeline.hosts.begin())};
    }
    /// Assigns the guest to a host, as the user does.
    void assignGuest(const std::string& guest, GuestOverride given) { m_timeline.clockSettings.guests[guest] = std::move(given); }
    /// Marks `trace` as a guest's trace, as if it had recorded the guest's end of a hypercall.
    void markAsGuest(std::uint32_t trace) { m_guests.push_back(trace); }

    const Timeline& timeline()
    {
        m_messages.kind = GuestMessages;
        m_messages.flows = {{"hypercall", "guest 1", "host"}};
        m_messages.traces.resize(m_timeline.traces.size());
        for (const std::uint32_t trace : m_guests)
            m_messages.traces[trace].out = 1;
        const auto place = m_timeline.correlatorRegistry->find("hypercalls").value();
        m_timeline.relations.assign(m_timeline.correlatorRegistry->all().size(), nullptr);
        auto relation = std::make_shared<Correlation>();
        relation->messages = std::make_shared<const Transmissions>(m_messages);
        m_timeline.relations[place] = std::move(relation);
        return m_timeline;
    }

    /// Computes the rows of virtual machines again and returns their store.
    const Store& rows()
    {
        const auto& kind = *m_timeline.correlatorRegistry->all()[m_timeline.correlatorRegistry->find("machines").value()];
        const auto found = kind.make(timeline(), {}, {});
        if (!found || found->rows.size() != 1)
            std::abort();
        m_rows = found->rows.front().store;
        return *m_rows;
    }

    /// The timeline with the rows of virtual machines, as views receive it.
    const Timeline& withRows()
    {
        const auto place = timeline().correlatorRegistry->find("machines").value();
        auto found = m_timeline.correlatorRegistry->all()[place]->make(m_timeline, {}, {});
        if (!found || found->rows.size() != 1)
            std::abort();
        const auto at = static_cast<std::size_t>(helio::rowsOf(m_timeline, found->rows.front().trace, place));
        m_timeline.stores.resize(std::max(m_timeline.stores.size(), at + 1));
        m_timeline.stores[at] = {found->rows.front().trace, found->rows.front().store, true, true, true};
        m_timeline.relations[place] = std::make_shared<const Correlation>(std::move(*found));
        return m_timeline;
    }

    /// States of a row as text: "guest 0-10, preempted(t9 (9)) 10-20"; empty if the row does not exist. Requires: rows() was called.
    std::string states(const std::string& key) const
    {
        std::string text;
        const auto tracks = m_rows->tracks();
        for (std::uint32_t i = 0; i < tracks.size(); ++i)
            if (tracks[i].key == key)
                for (const HostInterval& it : m_rows->intervals(TrackId{i}, {hostTime(-1'000'000), hostTime(1'000'000'000)})) {
                    const auto& states = m_rows->stateSets()[static_cast<std::size_t>(tracks[i].states)].states;
                    const std::string value(m_rows->text(static_cast<StringId>(it.value)));
                    text += (text.empty() ? "" : ", ") + states[static_cast<std::size_t>(it.state)].name
                        + (value.empty() ? "" : '(' + value + ')') + ' ' + std::to_string(nanoseconds(it.range.begin)) + '-'
                        + std::to_string(nanoseconds(it.range.end));
                }
        return text;
    }

    /// Key of the parent row. Requires: rows() was called.
    std::string parentOf(const std::string& key) const
    {
        for (const Track& track : m_rows->tracks())
            if (track.key == key)
                return track.parent == NoTrack ? "none" : m_rows->tracks()[static_cast<std::size_t>(track.parent)].key;
        return "no such row";
    }

private:
    Timeline m_timeline;
    Transmissions m_messages;
    std::vector<std::uint32_t> m_guests;
    std::shared_ptr<const Store> m_rows;
};

} // namespace helio::test
