#include "core/profiling/export/speedscope.h"

#include "core/base/json.h"
#include "core/profiling/calls/call_names.h"
#include "core/profiling/samples/amount_text.h"
#include "core/profiling/samples/call_path.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

/// Distinct functions of all profiles, speedscope's shared list of frames.
class FrameList {
public:
    std::uint32_t placeOf(const SampledFunction& function)
    {
        const auto [place, isNew] =
            m_places.try_emplace({function.label(), function.modulePath}, static_cast<std::uint32_t>(m_frames.size()));
        if (isNew)
            m_frames.push_back(&place->first);
        return place->second;
    }

    bool write(ChunkedWriter& writer) const
    {
        std::string& out = writer.text();
        for (std::size_t i = 0; i < m_frames.size(); ++i) {
            out += i == 0 ? "{\"name\":" : ",{\"name\":";
            appendJson(out, m_frames[i]->first);
            if (!m_frames[i]->second.empty()) {
                out += ",\"file\":";
                appendJson(out, m_frames[i]->second);
            }
            out += '}';
            if (!writer.flushIfFull())
                return false;
        }
        return true;
    }

private:
    using Frame = std::pair<std::string, std::string>; ///< Function name and source file of a frame.
    std::map<Frame, std::uint32_t> m_places;
    std::vector<const Frame*> m_frames;
};

/// Samples of one thread and kind, ready to be written.
struct Sequence {
    std::string name;
    bool isTime = false;
    std::uint64_t sum = 0;
    std::uint64_t divisor = 1; ///< Divisor of the weights, from SampleKind::divisor().
    std::vector<std::vector<std::uint32_t>> stacks; ///< Stacks as indices into the frame list, root first. Successive stacks may be equal.
    std::vector<std::uint64_t> weights;
    std::vector<Timestamp> begins; ///< Begin of the time that each weight stands for; used only if `isTime`.
};

Timestamp endOf(const Sequence& sequence, std::size_t sample)
{
    const auto weight = static_cast<std::int64_t>(std::min<std::uint64_t>(sequence.weights[sample], INT64_MAX));
    std::int64_t end = 0;
    return __builtin_add_overflow(nanoseconds(sequence.begins[sample]), weight, &end) ? Timestamp::max() : timestamp(end);
}

/// Inserts stacks without frames where a thread has no samples, so that a position means the same time in all profiles.
void alignTimes(std::vector<Sequence>& sequences)
{
    Timestamp first = Timestamp::max(), last = Timestamp::min();
    for (const Sequence& it : sequences)
        for (std::size_t i = 0; it.isTime && i < it.begins.size(); ++i) {
            first = std::min(first, it.begins[i]);
            last = std::max(last, endOf(it, i));
        }
    for (Sequence& it : sequences) {
        if (!it.isTime)
            continue;
        Sequence aligned;
        aligned.name = it.name;
        aligned.isTime = true;
        aligned.divisor = it.divisor;
        const auto passUntil = [&](Timestamp until) {
            const std::uint64_t at = static_cast<std::uint64_t>(nanoseconds(until)) - static_cast<std::uint64_t>(nanoseconds(first));
            // Add nothing if the sample begins before the end of the previous sample: samples may overlap slightly, because their
            // clock jitters.
            if (until <= first || at <= aligned.sum)
                return;
            aligned.stacks.emplace_back();
            aligned.weights.push_back(at - aligned.sum);
            aligned.sum = at;
        };
        for (std::size_t i = 0; i < it.stacks.size(); ++i) {
            passUntil(it.begins[i]);
            aligned.stacks.push_back(std::move(it.stacks[i]));
            aligned.weights.push_back(it.weights[i]);
            aligned.sum += it.weights[i];
        }
        passUntil(last);
        it = std::move(aligned);
    }
}

std::string nameOf(const SpeedscopeProfile& part, const SampledThread& thread)
{
    const std::string comm = thread.comm.empty() ? "unknown thread" : thread.comm;
    return part.profile.kind.name + ": " + comm + (thread.tid >= 0 ? " (" + std::to_string(thread.tid) + ')' : "");
}

/// Returns a key that identifies the thread even if the thread's name changes between samples.
std::tuple<std::uint32_t, TrackId, std::int32_t> keyOf(const SampledThread& thread) { return {thread.trace, thread.ref.track, thread.tid}; }

std::vector<Sequence> sequencesOf(const SpeedscopeProfile& part, const CallTreeOptions& options, FrameList& frames)
{
    CallPaths paths(part.profile, part.names, options);
    // Stacks of all samples. Their elements are first indices of functions, later indices of frames in speedscope's list.
    std::vector<std::vector<std::uint32_t>> all(part.profile.stacks.size());
    std::vector<bool> isIn(all.size());
    std::vector<CallPaths::Step> path;
    for (std::size_t i = 0; i < all.size(); ++i) {
        isIn[i] = paths.pathOf(part.profile.stacks[i], path);
        for (const CallPaths::Step& step : path)
            all[i].push_back(static_cast<std::uint32_t>(step.function));
    }
    const std::vector<SampledFunction> functions = paths.takeFunctions();
    std::map<std::tuple<std::uint32_t, TrackId, std::int32_t>, Sequence> byThread;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const CollectedStack& stack = part.profile.stacks[i];
        const std::uint64_t weight = amount(sumOf(stack), part.by);
        if (!isIn[i] || weight == 0)
            continue;
        const SampledThread& thread = part.profile.threads[stack.thread];
        Sequence& to = byThread[keyOf(thread)];
        to.name = nameOf(part, thread);
        to.isTime = part.by == WeightBy::Weight && part.profile.kind.unit == "ns";
        to.sum += weight;
        to.divisor = part.profile.kind.divisor();
        to.weights.push_back(weight);
        // The weight of an event sample is the time before the sample, so its bar ends at the sample's time. The bar of an off-CPU sample
        // begins at the sample's time.
        const bool isBefore = part.profile.kind.origin == SampleKind::Origin::Event;
        const auto back = Duration(static_cast<std::int64_t>(std::min<std::uint64_t>(weight, INT64_MAX)));
        const bool reachesBack = isBefore && stack.first.time_since_epoch() > Duration(INT64_MIN) + back;
        to.begins.push_back(reachesBack ? stack.first - back : stack.first);
        for (std::uint32_t& frame : all[i])
            frame = frames.placeOf(functions[frame]);
        to.stacks.push_back(std::move(all[i]));
    }
    std::vector<Sequence> sequences;
    for (auto& [key, sequence] : byThread)
        sequences.push_back(std::move(sequence));
    std::ranges::stable_sort(sequences, std::greater(), &Sequence::sum);
    return sequences;
}

bool writeSequence(const Sequence& sequence, ChunkedWriter& writer)
{
    std::string& out = writer.text();
    out += "{\"type\":\"sampled\",\"name\":";
    appendJson(out, sequence.name);
    out += sequence.isTime ? ",\"unit\":\"nanoseconds\"" : ",\"unit\":\"none\"";
    out += ",\"startValue\":0,\"endValue\":" + exactCount(sequence.sum, sequence.divisor) + ",\"samples\":[";
    for (std::size_t i = 0; i < sequence.stacks.size(); ++i) {
        out += i == 0 ? "[" : ",[";
        for (std::size_t n = 0; n < sequence.stacks[i].size(); ++n)
            (out += n == 0 ? "" : ",") += std::to_string(sequence.stacks[i][n]);
        out += ']';
        if (!writer.flushIfFull())
            return false;
    }
    out += "],\"weights\":[";
    for (std::size_t i = 0; i < sequence.weights.size(); ++i) {
        (out += i == 0 ? "" : ",") += exactCount(sequence.weights[i], sequence.divisor);
        if (!writer.flushIfFull())
            return false;
    }
    out += "]}";
    return true;
}

/// Writes events for the begin and end of calls, so that calls nest: a call ends at the end of its caller at the latest.
class EventWriter {
public:
    EventWriter(ChunkedWriter& writer, Timestamp begin)
        : m_writer(writer)
        , m_begin(begin)
    {
    }

    bool write(const CallSequence& sequence, const std::vector<std::uint32_t>& frames)
    {
        for (const CallSequence::Call& call : sequence.calls) {
            closeUntil(call.range.begin);
            const Timestamp end = m_open.empty() ? call.range.end : std::min(call.range.end, m_open.back().end);
            m_open.push_back({end, frames[call.function]});
            writeEvent('O', call.range.begin, frames[call.function]);
            if (!m_writer.flushIfFull())
                return false;
        }
        closeUntil(Timestamp::max());
        return m_writer.flushIfFull();
    }

private:
    struct Open {
        Timestamp end;
        std::uint32_t frame = 0;
    };

    void closeUntil(Timestamp time)
    {
        for (; !m_open.empty() && m_open.back().end <= time; m_open.pop_back())
            writeEvent('C', m_open.back().end, m_open.back().frame);
    }

    void writeEvent(char type, Timestamp at, std::uint32_t frame)
    {
        std::string& out = m_writer.text();
        out += m_hasAny ? ",{\"type\":\"" : "{\"type\":\"";
        out += type;
        out += "\",\"frame\":" + std::to_string(frame) + ",\"at\":" + std::to_string((at - m_begin).count()) + '}';
        m_hasAny = true;
    }

    ChunkedWriter& m_writer;
    const Timestamp m_begin;
    bool m_hasAny = false;
    std::vector<Open> m_open; ///< Calls that are open, callers first.
};

bool writeCalls(const CallSequence& sequence, TimeRange range, const std::vector<std::uint32_t>& frames, ChunkedWriter& writer)
{
    std::string& out = writer.text();
    out += "{\"type\":\"evented\",\"name\":";
    appendJson(out, sequence.name);
    out += ",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":" + std::to_string(range.duration().count()) + ",\"events\":[";
    if (!EventWriter(writer, range.begin).write(sequence, frames))
        return false;
    out += "]}";
    return true;
}

/// Returns the range from the first begin to the last end of all calls; empty if there are no calls.
TimeRange rangeOf(const SpeedscopeCalls& calls)
{
    TimeRange range{Timestamp::max(), Timestamp::min()};
    for (const CallSequence& sequence : calls.threads)
        for (const CallSequence::Call& call : sequence.calls)
            range = {std::min(range.begin, call.range.begin), std::max(range.end, call.range.end)};
    return range.begin < range.end ? range : TimeRange();
}

bool isHidden(const SampledFunction& function, const CallTreeOptions& options)
{
    const auto matches = [](const std::string& text, const std::vector<std::string>& patterns) {
        return std::ranges::any_of(patterns, [&](const std::string& pattern) { return matchesPattern(text, pattern); });
    };
    return matches(function.label(), options.hiddenFunctions) || matches(function.name, options.hiddenFunctions)
        || matches(function.module, options.hiddenModules);
}

} // namespace

void writeSpeedscope(std::span<const SpeedscopeProfile> parts, const SpeedscopeCalls& calls, const CallTreeOptions& options,
                     std::string_view name, const TextSink& write)
{
    FrameList frames;
    std::vector<Sequence> sequences;
    for (const SpeedscopeProfile& part : parts)
        std::ranges::move(sequencesOf(part, options, frames), std::back_inserter(sequences));
    alignTimes(sequences);
    // Frame index of each function in `calls`.
    std::vector<std::uint32_t> called;
    for (const SampledFunction& function : calls.functions)
        called.push_back(frames.placeOf(function));
    ChunkedWriter writer(write);
    std::string& out = writer.text();
    out += R"({"$schema":"https://www.speedscope.app/file-format-schema.json","version":"0.0.1","exporter":"heliograph","name":)";
    appendJson(out, name);
    out += ",\"activeProfileIndex\":0,\"shared\":{\"frames\":[";
    if (!frames.write(writer))
        return;
    out += "]},\"profiles\":[";
    for (std::size_t i = 0; i < sequences.size(); ++i) {
        out += i == 0 ? "" : ",";
        if (!writeSequence(sequences[i], writer))
            return;
    }
    const TimeRange range = rangeOf(calls);
    for (std::size_t i = 0; i < calls.threads.size(); ++i) {
        out += i == 0 && sequences.empty() ? "" : ",";
        if (!writeCalls(calls.threads[i], range, called, writer))
            return;
    }
    out += "]}\n";
}

SpeedscopeCalls collectCallSequences(const Timeline& timeline, const CallKind& kind, const SampleFilter& filter,
                                     const CallTreeOptions& options, std::stop_token stop)
{
    SpeedscopeCalls all;
    const CallNames names(timeline, stop);
    all.functions = names.functions();
    // Sequences of calls by thread; nullopt if the filter does not select the thread.
    std::map<TrackRef, std::optional<CallSequence>> threads;
    std::vector<TimeRange> ranges = filter.ranges;
    if (ranges.empty())
        ranges = {{Timestamp::min(), Timestamp::max()}};
    // End of the filter's ranges that were visited so far: calls that begin before it were added in an earlier range.
    Timestamp taken = Timestamp::min();
    const auto take = [&](const Segment& call) {
        const TrackRef thread{call.store, threadTrack(storeAt(timeline, call.store), call.recorded.track)};
        const auto [place, isNew] = threads.try_emplace(thread);
        if (isNew && selectsCallsOf(timeline, filter, thread)) {
            const Track* track = trackOf(timeline, thread);
            place->second.emplace().name = kind.facts.kind.name + ": " + (track ? track->label : "unknown thread")
                + (track && track->tid >= 0 ? " (" + std::to_string(track->tid) + ')' : "");
        }
        if (!place->second || call.range.begin < taken || (filter.accepts && !filter.accepts(thread, call.range.begin)))
            return;
        const std::uint32_t function = names.indexOf(call.store, call.recorded.stack());
        if (!isHidden(all.functions[function], options))
            place->second->calls.push_back({call.range, function});
    };
    for (const TimeRange& range : ranges) {
        forEachSegment(timeline, kind.segments, range, take, stop);
        taken = range.end;
    }
    for (auto& [thread, sequence] : threads)
        if (sequence) {
            // Put the longest of several calls with the same begin first, because it is the caller of the others.
            std::ranges::stable_sort(sequence->calls, [](const CallSequence::Call& a, const CallSequence::Call& b) {
                return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
            });
            all.threads.push_back(std::move(*sequence));
        }
    std::ranges::stable_sort(all.threads, std::greater(), [](const CallSequence& it) { return it.calls.size(); });
    return all;
}

std::vector<SampleKind> speedscopeKinds(const Timeline& timeline, const std::optional<SampleKind>& chosen)
{
    const std::vector<SampleKindFacts> all = sampleKinds(timeline);
    const std::vector<std::string> offCpu = offCpuKinds(all);
    std::vector<SampleKind> kinds;
    for (const SampleKindFacts& it : all) {
        const bool isChosen = !chosen || it.kind.name == chosen->name
            || (chosen->name == AllOffCpu && std::ranges::find(offCpu, it.kind.name) != offCpu.end());
        if (it.samples > 0 && !areCalls(it.kind) && isChosen)
            kinds.push_back(it.kind);
    }
    return kinds;
}

bool SpeedscopeRecording::hasSamples() const
{
    return std::ranges::any_of(samples, [](const auto& it) { return it.first.samples > 0; });
}

SpeedscopeRecording collectSpeedscope(const Timeline& timeline, const SpeedscopeOptions& options, std::stop_token stop)
{
    SpeedscopeRecording recording;
    for (const SampleKind& kind : options.kinds) {
        StackProfile profile = collectSingleSamples(timeline, options.filterOf(kind), nullptr, stop);
        StackNames names = nameStacks(profile, timeline, {options.expandsInlined}, nullptr, stop);
        recording.samples.emplace_back(std::move(profile), std::move(names));
    }
    if (options.calls)
        recording.calls =
            collectCallSequences(timeline, *options.calls, options.filterOf(options.calls->facts.kind), options.tree, std::move(stop));
    return recording;
}

void writeSpeedscope(const SpeedscopeRecording& recording, const SpeedscopeOptions& options, const TextSink& write)
{
    std::vector<SpeedscopeProfile> parts;
    for (const auto& [profile, names] : recording.samples)
        parts.push_back({profile, names, options.by.value_or(WeightBy::Weight)});
    CallTreeOptions tree = options.tree;
    if (tree.base == CallTreeOptions::Base::Command)
        tree.base = CallTreeOptions::Base::None;
    writeSpeedscope(parts, recording.calls, tree, options.name, write);
}

} // namespace helio
