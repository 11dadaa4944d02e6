// Fuzzer of store files: changes the sections of a valid file as the input says, corrects all hashes as an attacker would, and runs all
// queries. No input may cause a crash, a hang, or more memory use than the size of the file justifies.

#include "core/store/counters/counter_blocks.h"
#include "core/store/file/xxh3.h"
#include "core/store/intervals/block_index.h"
#include "core/store/links/link_index.h"
#include "core/store/sampling/sample_blocks.h"
#include "core/store/segments/segment_blocks.h"
#include "core/store/store.h"
#include "core/store/store_format.h"
#include "tests/fuzz/fuzz_input.h"

#include <cstdlib>
#include <iterator>

using namespace helio;
using format::SectionId;

namespace {

constexpr std::string_view Identity = "id";
constexpr std::int64_t End = 100'000;

/// Makes a store file with all kinds of sections.
std::string makeStore(const FuzzFolder& folder)
{
    const std::filesystem::path path = folder.path() / "good";
    const auto builder = makeFileStoreBuilder(path, Identity, hostTime(0));
    const StateSetId set =
        *builder->stateSet({"thread", {{"a", StateCategory::None, {"a", "", ""}}, {"b", StateCategory::None, {"b", "", ""}}}, {}});
    for (int i = 0; i < 3; ++i) {
        Track track;
        track.view = "control-flow";
        track.kind = "thread";
        track.role = TrackRole::Thread;
        track.key = "tid:" + std::to_string(i);
        track.label = "worker";
        track.parent = i == 2 ? TrackId{0} : NoTrack;
        track.states = set;
        track.tid = i;
        builder->addTrack(track);
    }
    Module module;
    module.path = "/lib";
    const ModuleId lib = builder->modules().add(module);
    const StackId outer = builder->stacks().stack(NoStack, {lib, true, 0x100});
    const StackId inner = builder->stacks().stack(outer, {lib, false, 0x200});
    SampleKind sampleKind;
    sampleKind.name = "cycles";
    const SampleKindId samples = builder->samples().addKind(sampleKind);
    const SegmentKindId segments = *builder->segments().addKind({"calls", "Calls", "Call", "Result", "B"});
    const CounterSeriesId integers = *builder->counters().addSeries({"v", "i", "I"});
    CounterSeries realSeries{"v", "r", "R"};
    realSeries.number = CounterNumber::Real;
    const CounterSeriesId reals = *builder->counters().addSeries(realSeries);
    (void)builder->integer(INT64_MIN);
    (void)builder->real(0.5);
    std::uint64_t dice = 88172645463325252;
    const auto next = [&] { return dice ^= dice << 13, dice ^= dice >> 7, dice ^= dice << 17; };
    // More than a block of each kind, and enough blocks for a level above them.
    for (std::int64_t time = 0; time < End; time += 10) {
        const TrackId track{static_cast<std::uint32_t>(next() % 3)};
        if (next() % 40 == 0)
            builder->end(hostTime(time), track);
        else
            builder->beginInterval(hostTime(time), track, State{static_cast<std::uint8_t>(next() % 2)}, next() % 20);
        if (time % 200 == 0)
            builder->link({LinkKind(next() % 3), TrackId{0}, track, hostTime(time), hostTime(time + 5), 1, builder->string("detail")});
        if (time % 100 == 0) {
            HostSample sample;
            sample.time = hostTime(time);
            sample.weight = 3;
            sample.stack = inner;
            sample.kind = samples;
            builder->samples().add(sample);
        }
        builder->segments().add(
            {hostTime(time), hostTime(time + static_cast<std::int64_t>(next() % 4000)), 5, builder->string("read"), track, segments});
        builder->counters().addInteger(integers, hostTime(time), static_cast<std::int64_t>(next()));
        if (time % 40 == 0)
            builder->counters().addReal(reals, hostTime(time), static_cast<double>(time));
        builder->addDensity(hostTime(time), 1);
    }
    builder->addCheckpoint({65'536, hostTime(100), {{1, 2, 3, 4, 0}}});
    builder->addLoss({{hostTime(5), hostTime(50)}, 3, 0, 1, 0});
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(End)};
    summary.eventsByType = {4, 5};
    summary.anomalies.push_back({Diagnostic::Severity::Warning, "kind", "file", 1, 1, "what"});
    if (!builder->finish(summary))
        std::abort();
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A store file whose hashes can be corrected.
class StoreBytes {
public:
    explicit StoreBytes(std::string& bytes)
        : m_bytes(bytes)
    {
        std::memcpy(&m_header, bytes.data(), sizeof m_header);
    }

    format::Section& section(std::size_t i) { return m_header.sections[i % m_header.sectionCount]; }

    void rehash()
    {
        // Offsets of intervals and links count from the start of the file, others from the start of their section.
        rehashBlocks<BlockEntry>(SectionId::Blocks, 0, &BlockEntry::length);
        rehashBlocks<LinkBlockEntry>(SectionId::LinkBlocks, 0, &LinkBlockEntry::length);
        rehashBlocks<SampleBlockEntry>(SectionId::SampleBlocks, beginOf(SectionId::Samples), &SampleBlockEntry::bytes);
        rehashBlocks<SegmentEntry>(SectionId::SegmentBlocks, beginOf(SectionId::Segments), &SegmentEntry::bytes);
        rehashBlocks<SegmentEntry>(SectionId::SegmentLevels, beginOf(SectionId::Segments), &SegmentEntry::bytes);
        rehashBlocks<CounterEntry>(SectionId::CounterBlocks, beginOf(SectionId::Counters), &CounterEntry::bytes);
        for (std::uint32_t i = 0; i < m_header.sectionCount; ++i) {
            format::Section& section = m_header.sections[i];
            if (!format::hasBlockHashes(section.id) && isInside(section.offset, section.length))
                section.hash = XXH3_64bits(m_bytes.data() + section.offset, section.length);
        }
        const format::Footer footer{format::FooterMagic, XXH3_64bits(&m_header.sections, sizeof m_header.sections)};
        m_header.hash = XXH3_64bits(&m_header, sizeof m_header - sizeof m_header.hash);
        std::memcpy(m_bytes.data(), &m_header, sizeof m_header);
        std::memcpy(m_bytes.data() + m_bytes.size() - sizeof footer, &footer, sizeof footer);
    }

private:
    bool isInside(std::uint64_t offset, std::uint64_t length) const
    {
        return offset <= m_bytes.size() && length <= m_bytes.size() - offset;
    }
    const format::Section* find(SectionId id) const
    {
        for (std::uint32_t i = 0; i < m_header.sectionCount; ++i)
            if (m_header.sections[i].id == id && isInside(m_header.sections[i].offset, m_header.sections[i].length))
                return &m_header.sections[i];
        return nullptr;
    }
    std::uint64_t beginOf(SectionId id) const
    {
        const format::Section* section = find(id);
        return section ? section->offset : 0;
    }
    template <typename Entry> void rehashBlocks(SectionId id, std::uint64_t from, std::uint32_t Entry::*length)
    {
        const format::Section* section = find(id);
        for (std::size_t i = 0; section && i < section->length / sizeof(Entry); ++i) {
            Entry entry;
            char* const at = m_bytes.data() + section->offset + i * sizeof entry;
            std::memcpy(&entry, at, sizeof entry);
            if (entry.offset < m_bytes.size() && isInside(from + entry.offset, entry.*length))
                entry.hash = static_cast<std::uint32_t>(XXH3_64bits(m_bytes.data() + from + entry.offset, entry.*length));
            std::memcpy(at, &entry, sizeof entry);
        }
    }

    std::string& m_bytes;
    format::Header m_header;
};

void query(const Store& store)
{
    const HostRange always{hostTime(-1000), hostTime(End + 1000)};
    const HostRange part{hostTime(1000), hostTime(52'345)};
    const HostTimestamp middle = hostTime(End / 2);
    HostSpans spans;
    for (std::uint32_t n = 0; n < std::min<std::size_t>(store.tracks().size(), 10); ++n) {
        const TrackId track{n};
        (void)store.childrenOf(track);
        (void)store.intervals(track, part);
        (void)store.totals(track, part);
        (void)store.intervalAt(track, middle);
        (void)store.nextInterval(track, middle);
        (void)store.previousInterval(track, middle);
        (void)store.nextLink(track, middle);
        (void)store.previousLink(track, middle);
        for (const std::int64_t resolution : {INT64_C(100), INT64_C(20'000), INT64_C(1) << 35}) {
            spans.clear();
            store.spans(track, part, Duration(resolution), spans);
        }
    }
    (void)store.tracksOf(TrackRole::Thread, 1);
    (void)store.links(always, 10);
    std::vector<Link> links;
    for (const auto reader = store.makeLinkReader(part, ~0U); reader->next(links);)
        links.clear();
    (void)store.text(StringId{1});
    (void)store.integer(0);
    (void)store.real(1);
    for (std::size_t i = 0; i < std::min<std::size_t>(store.samples().kinds().size(), 5); ++i)
        store.samples().visit(SampleKindId(i), part, [](std::span<const HostSample>) {});
    const SegmentSet& segments = store.segments();
    for (std::size_t i = 0; i < std::min<std::size_t>(segments.kinds().size(), 5); ++i) {
        const SegmentKindId kind{static_cast<std::uint8_t>(i)};
        (void)segments.sum(kind);
        segments.visit(kind, part, [](std::span<const HostSegment>) {});
        (void)segments.longest(kind, always, 5);
        (void)segments.spread(kind, part);
        (void)segments.spans(kind, part, Duration(5000));
        (void)segments.next(kind, middle);
        (void)segments.previous(kind, middle);
    }
    const CounterSet& counters = store.counters();
    for (std::uint32_t i = 0; i < std::min<std::size_t>(counters.series().size(), 5); ++i) {
        const CounterSeriesId series{i};
        (void)counters.count(series);
        counters.visit(series, part, [](std::span<const CounterPoint>) {});
        (void)counters.spans(series, part, Duration(5000));
        (void)counters.valueAt(series, middle);
        (void)counters.next(series, middle);
        (void)counters.previous(series, middle);
    }
    (void)store.isDamaged();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const FuzzFolder folder;
    static const std::string good = makeStore(folder);
    std::string bytes = good;
    StoreBytes store(bytes);
    for (FuzzInput input(data, size); !input.isEmpty();) {
        format::Section& section = store.section(input.byte());
        const std::uint8_t how = input.byte();
        if (how >= 250) { // Another position or size of the section.
            (how % 2 == 0 ? section.offset : section.length) = input.number();
        } else if (section.offset < good.size() && section.length <= good.size() - section.offset && section.length > 0) {
            // Writes new bytes, or a number of 8 bytes, near the section's start or anywhere.
            const std::size_t at = input.below(how < 125 ? std::min<std::uint64_t>(section.length, 256) : section.length);
            std::string change(how % 2 == 0 ? input.takeBytes(1 + how % 8) : FuzzBytes().u64(input.number()).all);
            change.resize(std::min<std::size_t>(change.size(), section.length - at));
            bytes.replace(section.offset + at, change.size(), change);
        }
    }
    store.rehash();
    if (const auto opened = openStore(folder.write("store", bytes), Identity))
        query(**opened);
    return 0;
}
