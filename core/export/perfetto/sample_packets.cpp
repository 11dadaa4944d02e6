#include "core/export/perfetto/sample_packets.h"

#include "core/io/spill_buffer.h"
#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/timeline_access.h"

#include <cstring>
#include <type_traits>

namespace helio {
namespace {

// Field numbers (protos/perfetto/trace/profiling).
enum SampleField : std::uint32_t { SampleCpu = 1, SamplePid = 2, SampleTid = 3, SampleStack = 4, SampleMode = 5, SampleCount = 6 };
enum DefaultsField : std::uint32_t { SampleDefaults = 12, SampleTimebase = 1 };
enum TimebaseField : std::uint32_t { TimebaseFrequency = 2, TimebasePeriod = 1, TimebaseName = 10 };
enum StackField : std::uint32_t { StackNumber = 1, StackFrames = 2 };
enum FrameField : std::uint32_t { FrameNumber = 1, FrameFunction = 2, FrameMapping = 3, FrameAddress = 4 };
enum MappingField : std::uint32_t { MappingNumber = 1, MappingPath = 7 };
enum CpuMode : std::uint32_t { ModeUnknown, ModeKernel, ModeUser };

/// A sample in the temporary file.
struct KeptSample {
    std::int64_t ts = 0;
    std::uint64_t weight = 0;
    std::uint32_t node = 0;
    std::uint32_t thread = 0;
    std::int32_t cpu = -1;
    std::uint32_t unused = 0;
};
static_assert(std::is_trivially_copyable_v<KeptSample>);

/// Call stacks of a sequence, defined when they are first used.
class InternedStacks {
public:
    InternedStacks(const StackProfile& profile, const StackNames& names)
        : m_profile(profile)
        , m_names(names)
        , m_stacks(profile.nodes.size())
    {
    }

    /// Returns the number of the stack that ends at a node, and appends what is not defined yet to `interned`.
    std::uint64_t stackOf(std::uint32_t node, std::string& interned)
    {
        if (m_stacks[node] != 0)
            return m_stacks[node];
        std::vector<std::uint32_t> path;
        for (std::uint32_t at = node; at != 0; at = m_profile.nodes[at].parent)
            path.push_back(at);
        std::vector<std::uint64_t> frames;
        for (auto it = path.rbegin(); it != path.rend(); ++it) {
            const auto named = m_names.framesOf(*it);
            for (auto frame = named.rbegin(); frame != named.rend(); ++frame) // Outermost first.
                frames.push_back(frameOf(m_names.functions[static_cast<std::size_t>(frame->function)], m_profile.nodes[*it], interned));
        }
        m_stacks[node] = ++m_lastStack;
        protozero::pbf_writer out(interned);
        protozero::pbf_writer message(out, perfetto_field::Callstacks);
        message.add_uint64(StackNumber, m_lastStack);
        for (const std::uint64_t frame : frames)
            message.add_uint64(StackFrames, frame);
        return m_lastStack;
    }

    /// Returns the kind of code in which a sample was taken.
    std::uint32_t modeOf(std::uint32_t node) const
    {
        const auto named = m_names.framesOf(node);
        if (node == 0 || named.empty())
            return ModeUnknown;
        const CodeKind code = m_names.functions[static_cast<std::size_t>(named.front().function)].code;
        if (code == CodeKind::Kernel || code == CodeKind::KernelModule)
            return ModeKernel;
        return code == CodeKind::Unknown || code == CodeKind::Guest || code == CodeKind::Thread ? ModeUnknown : ModeUser;
    }

private:
    std::uint64_t frameOf(const SampledFunction& function, const CollectedNode& node, std::string& interned)
    {
        const std::string module = function.modulePath.empty() ? function.module : function.modulePath;
        const std::string key = function.label() + '\0' + module + '\0' + std::to_string(node.frame.address);
        const auto [found, isNew] = m_frames.try_emplace(key, m_frames.size() + 1);
        if (!isNew)
            return found->second;
        const std::uint64_t name = m_functions.alwaysNumberOf(function.label(), interned);
        const std::uint64_t mapping = module.empty() ? 0 : mappingOf(module, interned);
        protozero::pbf_writer out(interned);
        protozero::pbf_writer message(out, perfetto_field::Frames);
        message.add_uint64(FrameNumber, found->second);
        message.add_uint64(FrameFunction, name);
        if (mapping != 0)
            message.add_uint64(FrameMapping, mapping);
        message.add_uint64(FrameAddress, node.frame.address);
        return found->second;
    }

    std::uint64_t mappingOf(const std::string& path, std::string& interned)
    {
        const auto [found, isNew] = m_mappings.try_emplace(path, m_mappings.size() + 1);
        if (!isNew)
            return found->second;
        const std::uint64_t text = m_paths.alwaysNumberOf(path, interned);
        protozero::pbf_writer out(interned);
        protozero::pbf_writer message(out, perfetto_field::Mappings);
        message.add_uint64(MappingNumber, found->second);
        message.add_uint64(MappingPath, text);
        return found->second;
    }

    const StackProfile& m_profile;
    const StackNames& m_names;
    std::vector<std::uint64_t> m_stacks; ///< Number of the stack that ends at each node; 0 if it is not defined yet.
    std::uint64_t m_lastStack = 0;
    std::unordered_map<std::string, std::uint64_t> m_frames;
    std::unordered_map<std::string, std::uint64_t> m_mappings;
    InternedTexts m_functions{perfetto_field::FunctionNames};
    InternedTexts m_paths{perfetto_field::MappingPaths};
};

/// True if the defaults of a sequence give the weights of all its samples.
bool haveOneWeight(const SampleKind& kind) { return kind.leastWeight == kind.mostWeight; }

/// Writes the defaults of a sequence, which say what its samples count.
void writeDefaults(PacketWriter& writer, PacketSequence& sequence, const SampleKind& kind)
{
    writer.write(sequence, {}, [&](protozero::pbf_writer& packet) {
        protozero::pbf_writer defaults(packet, perfetto_field::PacketDefaults);
        protozero::pbf_writer samples(defaults, SampleDefaults);
        protozero::pbf_writer timebase(samples, SampleTimebase);
        constexpr std::int64_t Second = 1'000'000'000;
        if (haveOneWeight(kind) && kind.mostWeight > 0)
            timebase.add_uint64(TimebasePeriod, kind.mostWeight);
        else if (kind.spacing.count() > 0)
            timebase.add_uint64(TimebaseFrequency, static_cast<std::uint64_t>(std::max<std::int64_t>(1, Second / kind.spacing.count())));
        addText(timebase, TimebaseName, kind.name);
    });
}

Status writeKind(const RecordingWalk& walk, const ExportRequest& request, PacketWriter& writer, const SampleKind& kind,
                 std::uint32_t& nextSequence)
{
    SpillBuffer kept;
    Status spilled = Done{};
    std::vector<KeptSample> buffer;
    const auto flush = [&] {
        if (spilled && !buffer.empty())
            spilled = kept.append(std::as_bytes(std::span(buffer)));
        buffer.clear();
    };
    const SelectedThings& selected = walk.selected();
    SampleFilter filter;
    filter.kinds = {kind.name};
    filter.ranges = {{timestamp(walk.begin()), timestamp(walk.end())}};
    const auto take = [&](const StackProfile& soFar, const CollectedStack& sample) {
        const SampledThread& thread = soFar.threads[sample.thread];
        if (!selected.hasThread(thread.host, thread.pid, thread.tid) || !selected.hasCpu(thread.host, sample.cpu))
            return;
        buffer.push_back({nanoseconds(sample.first), sample.weight, sample.node, sample.thread, sample.cpu, 0});
        if (buffer.size() >= 65'536)
            flush();
    };
    const StackProfile profile = visitSamples(*request.timeline, filter, take, request.stop);
    flush();
    if (request.stop.stop_requested())
        return Error{Error::Kind::Cancelled, "The export was cancelled"};
    if (!spilled)
        return spilled;
    const StackNames names = nameStacks(profile, *request.timeline, {}, nullptr, request.stop);
    std::map<std::uint32_t, std::pair<PacketSequence, InternedStacks>> hosts;
    std::map<WalkedCpu, std::uint64_t> counts; // Sum of the weights so far.
    const std::span<const std::byte> bytes = kept.bytes();
    for (std::size_t at = 0; at + sizeof(KeptSample) <= bytes.size() && writer.isWritable(); at += sizeof(KeptSample)) {
        KeptSample sample;
        std::memcpy(&sample, bytes.data() + at, sizeof sample);
        const SampledThread& thread = profile.threads[sample.thread];
        auto found = hosts.find(thread.host);
        if (found == hosts.end()) {
            PacketSequence sequence{nextSequence++, machineOf(walk, thread.host), false};
            writeDefaults(writer, sequence, kind);
            found = hosts.emplace(thread.host, std::pair(sequence, InternedStacks(profile, names))).first;
        }
        auto& [sequence, stacks] = found->second;
        const std::uint64_t count = counts[{thread.host, sample.cpu}] += sample.weight;
        std::string interned;
        const std::uint64_t stack = sample.node != 0 ? stacks.stackOf(sample.node, interned) : 0;
        writer.write(
            sequence, sample.ts,
            [&, &stacks = stacks](protozero::pbf_writer& packet) {
                protozero::pbf_writer message(packet, perfetto_field::PerfSample);
                if (sample.cpu >= 0)
                    message.add_uint32(SampleCpu, static_cast<std::uint32_t>(sample.cpu));
                if (thread.pid >= 0)
                    message.add_uint32(SamplePid, static_cast<std::uint32_t>(thread.pid));
                if (thread.tid >= 0)
                    message.add_uint32(SampleTid, static_cast<std::uint32_t>(thread.tid));
                if (stack != 0)
                    message.add_uint64(SampleStack, stack);
                message.add_uint32(SampleMode, stacks.modeOf(sample.node));
                if (!haveOneWeight(kind))
                    message.add_uint64(SampleCount, count);
            },
            interned);
    }
    if (!haveOneWeight(kind) && !hosts.empty())
        request.tell(
            "The weights of the samples \"" + kind.name
            + "\" vary: Perfetto's viewer counts the samples. The file has the weights as the count of each CPU (timebase_count).");
    return Done{};
}

} // namespace

Status writeSamples(const RecordingWalk& walk, const ExportRequest& request, PacketWriter& writer, std::uint32_t nextSequence)
{
    for (const SampleKindFacts& kind : sampleKinds(*request.timeline))
        if (kind.kind.origin == SampleKind::Origin::Event || kind.kind.origin == SampleKind::Origin::Counted)
            if (Status written = writeKind(walk, request, writer, kind.kind, nextSequence); !written)
                return written;
    return Done{};
}

} // namespace helio
