// Functions by which a plug-in's analysis reports segments, counters and samples.

#include "core/plugin/host_functions.h"

#include <algorithm>

namespace {

using namespace helio;

constexpr std::size_t MostSampleKinds = 255;

/// Returns the number of an id of the store and updates `count`; HELIOGRAPH_NONE if the id could not be made.
template <typename Id> std::uint32_t numberOf(const Result<Id>& made, std::uint32_t& count)
{
    if (!made)
        return HELIOGRAPH_NONE;
    const auto number = static_cast<std::uint32_t>(*made);
    count = std::max(count, number + 1);
    return number;
}

std::uint32_t segmentKind(heliograph_output* output, const heliograph_segment_kind* kind)
{
    if (!kind)
        return HELIOGRAPH_NONE;
    SegmentKind made;
    made.id = textOf(kind->id);
    made.title = textOf(kind->title);
    made.nameTitle = textOf(kind->name_title);
    made.valueTitle = textOf(kind->value_title);
    made.valueUnit = textOf(kind->value_unit);
    return numberOf(output->sink.segments().addKind(made), output->segmentKinds);
}

void segment(heliograph_output* output, const heliograph_segment* segment)
{
    if (!segment || segment->kind >= output->segmentKinds)
        return;
    HostSegment made;
    made.begin = hostTime(segment->begin);
    made.end = hostTime(segment->end);
    made.value = segment->value;
    made.name = output->sink.string(textOf(segment->name));
    made.track = trackOf(*output, segment->row);
    made.kind = SegmentKindId{static_cast<std::uint8_t>(segment->kind)};
    output->sink.segments().add(made);
}

std::uint32_t series(heliograph_output* output, const heliograph_series* series)
{
    if (!series)
        return HELIOGRAPH_NONE;
    CounterSeries made;
    made.view = textOf(series->view);
    made.id = textOf(series->id);
    made.title = textOf(series->title);
    made.unit = textOf(series->unit);
    made.kind = series->is_total ? CounterSeries::Kind::Accumulating : CounterSeries::Kind::Gauge;
    made.number = series->is_real ? CounterNumber::Real : CounterNumber::Integer;
    made.track = trackOf(*output, series->row);
    return numberOf(output->sink.counters().addSeries(made), output->series);
}

void point(heliograph_output* output, std::uint32_t series, std::int64_t time, std::int64_t value)
{
    if (series < output->series)
        output->sink.counters().addInteger(CounterSeriesId{series}, hostTime(time), value);
}

void realPoint(heliograph_output* output, std::uint32_t series, std::int64_t time, double value)
{
    if (series < output->series)
        output->sink.counters().addReal(CounterSeriesId{series}, hostTime(time), value);
}

std::uint32_t sampleKind(heliograph_output* output, const heliograph_sample_kind* kind)
{
    auto& kinds = output->samples.kinds;
    if (!kind || textOf(kind->name).empty())
        return HELIOGRAPH_NONE;
    const auto known = std::ranges::find(kinds, textOf(kind->name), &PluginSampleState::Kind::name);
    if (known != kinds.end())
        return static_cast<std::uint32_t>(known - kinds.begin());
    if (kinds.size() >= MostSampleKinds)
        return HELIOGRAPH_NONE;
    SampleKind made;
    made.name = textOf(kind->name);
    made.unit = kind->is_cpu_time ? "ns" : textOf(kind->unit);
    made.isTime = kind->is_cpu_time != 0;
    kinds.push_back({made.name, output->sink.samples().addKind(made)});
    return lastOf(kinds);
}

/// Returns a frame for a named function, or for an address in a file. Named functions and addresses of one file are in different modules,
/// because the addresses of named functions are plain numbers.
StackFrame frameOf(heliograph_output& output, const heliograph_frame& frame)
{
    PluginSampleState& samples = output.samples;
    const bool isNamed = frame.function != nullptr;
    const bool isReturn = frame.is_return_address != 0;
    if (!isNamed && !frame.file)
        return {UnknownModule, isReturn, frame.address};
    const auto [module, isNewModule] = samples.modules.try_emplace({isNamed, std::string(textOf(frame.file))});
    if (isNewModule) {
        Module made;
        made.path = textOf(frame.file);
        made.kind = made.path.empty() ? Module::Kind::Unknown : Module::Kind::File;
        made.isLoadRelative = isNamed; // only makes the module differ from the one for addresses in the same file
        module->second = output.sink.modules().add(std::move(made));
    }
    if (!isNamed)
        return {module->second, isReturn, frame.address};
    const auto [place, isNew] = samples.places.try_emplace({module->second, std::string(textOf(frame.function))});
    if (isNew)
        place->second = output.sink.modules().addPlace(module->second, {textOf(frame.function), {}, false});
    return {module->second, false, place->second};
}

std::uint32_t frame(heliograph_output* output, const heliograph_frame* frame)
{
    if (!frame)
        return HELIOGRAPH_NONE;
    PluginSampleState& samples = output->samples;
    const StackId caller = samples.stackOf(frame->caller);
    const StackId made = output->sink.stacks().stack(caller, frameOf(*output, *frame));
    samples.lastStack = std::max(samples.lastStack, made);
    return made == NoStack ? HELIOGRAPH_NONE : static_cast<std::uint32_t>(made);
}

/// Returns the track of a tid, over all threads that had it; the row of a sample is found when it is requested. Returns NoTrack for tid 0,
/// which only the idle thread has.
TrackId threadOf(heliograph_output& output, std::int32_t tid, std::int32_t pid)
{
    if (tid <= 0)
        return NoTrack;
    PluginSampleState& samples = output.samples;
    const auto [thread, isNew] = samples.threads.try_emplace(tid);
    if (!isNew)
        return thread->second;
    if (!samples.threadStates) {
        const auto states = output.sink.stateSet({"heliograph-sampled-threads", {{"sampled"}}});
        if (!states)
            return thread->second = NoTrack;
        samples.threadStates = *states;
    }
    Track track;
    track.role = TrackRole::SampledThread;
    track.kind = "sampled-thread";
    track.key = "tid:" + std::to_string(tid);
    track.label = track.key;
    track.states = *samples.threadStates;
    track.pid = pid > 0 ? pid : -1;
    track.tid = tid;
    return thread->second = output.sink.addTrack(std::move(track));
}

void sample(heliograph_output* output, const heliograph_sample* sample)
{
    PluginSampleState& samples = output->samples;
    if (!sample || !isIn(samples.kinds, sample->kind))
        return;
    PluginSampleState::Kind& kind = samples.kinds[sample->kind];
    kind.last = std::max(kind.last, hostTime(sample->time));
    HostSample made;
    made.time = kind.last;
    made.weight = sample->weight;
    made.event = output->event;
    made.stack = samples.stackOf(sample->stack);
    made.thread = threadOf(*output, sample->tid, sample->pid);
    made.cpu = std::max(sample->cpu, -1);
    made.kind = kind.id;
    made.isIdle = sample->tid == 0;
    output->sink.samples().add(made);
}

} // namespace

void helio::setMeasurementFunctions(heliograph_host_v1& host)
{
    host.segment_kind = segmentKind;
    host.segment = segment;
    host.series = series;
    host.point = point;
    host.real_point = realPoint;
    host.sample_kind = sampleKind;
    host.frame = frame;
    host.sample = sample;
}
