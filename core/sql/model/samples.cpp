#include "core/sql/model/samples.h"

#include "core/query/rows/timeline_access.h"
#include "core/store/numbered_samples.h"

#include <algorithm>

namespace helio::sql {
namespace {

/// Name of the kind of samples that Perfetto's recordings have from Chrome's own profiler.
constexpr std::string_view ChromeProfileSamples = "profile_sample";

SampleSource::Role roleOf(const Trace& trace, const SampleKind& kind)
{
    if (kind.origin == SampleKind::Origin::OffCpu)
        return SampleSource::Role::Derived;
    if (const SampleReader* const reader = trace.samples())
        for (const SampleEvent& event : reader->events())
            if (event.name == kind.name && event.groupLeader)
                return SampleSource::Role::GroupMember;
    return SampleSource::Role::Recorded;
}

std::string profilerOf(const TraceInfo& info, const SampleKind& kind)
{
    if (info.format == "perf.data" || (info.format == "Perfetto" && kind.name != ChromeProfileSamples))
        return "linux.perf";
    return info.format == "Perfetto" ? "chrome" : info.format;
}

/// Returns the unit of what the samples of a kind count; empty if it is unknown.
std::string unitOf(const SampleKind& kind)
{
    if (!kind.unit.empty() && kind.divisor() == 1)
        return kind.unit;
    for (const std::string_view counter : {"cycles", "instructions"})
        if (kind.name == counter || kind.name.starts_with(std::string(counter) + ':'))
            return std::string(counter);
    return {};
}

} // namespace

Samples::Samples(std::shared_ptr<const RecordedThings> things)
    : m_things(std::move(things))
{
    forEachStore(m_things->timeline(), [&](StoreIndex index, const Store& store, const TimelineTrace& trace) {
        const auto kinds = store.samples().kinds();
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            SampleSource source;
            source.store = index;
            source.kind = SampleKindId(static_cast<std::uint8_t>(i));
            source.description = &kinds[i];
            source.role = roleOf(*trace.trace, kinds[i]);
            source.session = findSession(traceOf(m_things->timeline(), index), kinds[i]);
            source.first = total();
            source.count = store.samples().countByKind()[i];
            m_sources.push_back(std::move(source));
        }
    });
}

/// Returns the session to which the samples of a kind belong, and adds it if it is the first of its kind.
std::uint32_t Samples::findSession(std::uint32_t trace, const SampleKind& kind)
{
    const TraceInfo& info = m_things->timeline().traces[trace].trace->info();
    SampleSession session{trace, profilerOf(info, kind), unitOf(kind), info.text("command")};
    for (std::uint32_t i = 0; i < m_sessions.size(); ++i)
        if (m_sessions[i].trace == trace && m_sessions[i].profiler == session.profiler)
            return i;
    m_sessions.push_back(std::move(session));
    return static_cast<std::uint32_t>(m_sessions.size() - 1);
}

SampleRow Samples::rowOf(std::uint32_t source, std::uint64_t number, const HostSample& sample) const
{
    return {clockOf(m_things->timeline(), m_sources[source].store)(sample.time), source, number, sample};
}

void Samples::append(std::uint32_t source, TimeRange part, std::vector<SampleRow>& out, const std::stop_token& stop) const
{
    const SampleSource& of = m_sources[source];
    SampleSelection selection;
    selection.range = clockOf(m_things->timeline(), of.store).inverse(part);
    visitSampleBlocks(
        samplesIn(m_things->timeline(), of.store), of.kind, selection,
        [&](std::uint64_t first, std::span<const HostSample> samples) {
            for (const HostSample& sample : samples) {
                if (selection.range.contains(sample.time))
                    out.push_back(rowOf(source, first, sample));
                ++first;
            }
        },
        stop);
}

std::optional<SampleRow> Samples::find(std::int64_t id) const
{
    const auto wanted = static_cast<std::uint64_t>(id);
    if (id < 0 || wanted >= total())
        return {};
    const auto after = std::ranges::upper_bound(m_sources, wanted, {}, &SampleSource::first);
    const auto source = static_cast<std::uint32_t>(after - m_sources.begin() - 1);
    const SampleSource& of = m_sources[source];
    const std::uint64_t number = wanted - of.first;
    SampleSelection selection;
    selection.first = selection.last = number;
    std::optional<SampleRow> found;
    visitSampleBlocks(
        samplesIn(m_things->timeline(), of.store), of.kind, selection,
        [&](std::uint64_t first, std::span<const HostSample> samples) { found = rowOf(source, number, samples[number - first]); });
    return found;
}

std::optional<std::uint32_t> Samples::threadOf(const SampleRow& row) const
{
    const SampleSource& source = m_sources[row.source];
    if (row.sample.isIdle)
        return m_things->idleThread(m_things->timeline().traces[m_sessions[source.session].trace].host);
    if (row.sample.thread == NoTrack)
        return {};
    SampledRows& rows = m_rows.try_emplace(source.store, m_things->timeline(), source.store).first->second;
    const TrackRef shown = rows.rowOf(rows.lifeAt(row.sample.thread, row.sample.time));
    return m_things->threadOf(shown.isValid() ? shown : TrackRef{source.store, row.sample.thread}, row.ts);
}

} // namespace helio::sql
