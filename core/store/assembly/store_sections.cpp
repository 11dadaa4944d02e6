#include "core/store/assembly/store_sections.h"

#include <algorithm>

namespace helio {
namespace {

void putTime(ByteWriter& out, HostTimestamp time) { out.putSigned(nanoseconds(time)); }
HostTimestamp getTime(ByteReader& in) { return hostTime(in.getSigned()); }

/// Reads a signed 32-bit number; 0 at the end of the bytes.
std::int32_t getSmall(ByteReader& in) { return static_cast<std::int32_t>(in.getSigned()); }

std::uint64_t difference(HostTimestamp a, HostTimestamp b)
{
    return static_cast<std::uint64_t>(nanoseconds(a)) - static_cast<std::uint64_t>(nanoseconds(b));
}
HostTimestamp later(HostTimestamp time, std::uint64_t by)
{
    return hostTime(static_cast<std::int64_t>(static_cast<std::uint64_t>(nanoseconds(time)) + by));
}

// Format of the section with state sets, link kinds and tracks: each text is stored once, and a track needs about 15 bytes.

constexpr std::uint8_t KernelThread = 0x80; // Bit in the flags byte of a track: Track::isKernelThread.
constexpr std::uint8_t LineBand = 0x40;
constexpr std::uint8_t OpenHead = 1; // Bit in the flags byte of a link kind: hasOpenHead.
constexpr std::uint8_t HiddenFirst = 2;

void writeState(const StateKind& state, ByteWriter& out)
{
    out.putText(state.name);
    out.putByte(static_cast<std::uint8_t>(state.meaning));
    const StateStyle& style = state.style;
    for (const std::string* text : {&style.color, &style.words, &style.legend, &style.valueTitle, &style.connective})
        out.putText(*text);
    for (const unsigned number : {unsigned(style.height), unsigned(style.drawing), unsigned(style.order), unsigned(style.severity)})
        out.putByte(static_cast<std::uint8_t>(number));
    out.putByte(style.flags);
}

StateKind readState(ByteReader& in)
{
    StateKind state;
    state.name = in.getText();
    const auto meaning = StateCategory(in.getByte());
    state.meaning = meaning <= LastStateCategory ? meaning : StateCategory::Unknown;
    StateStyle& style = state.style;
    for (std::string* text : {&style.color, &style.words, &style.legend, &style.valueTitle, &style.connective})
        *text = in.getText();
    style.height = std::min<std::uint8_t>(in.getByte(), 16);
    style.drawing = BarPattern(std::min(in.getByte(), static_cast<std::uint8_t>(BarPattern::Fence)));
    style.order = in.getByte();
    style.severity = in.getByte();
    style.flags = in.getByte();
    return state;
}

void writeSets(const std::vector<StateSet>& sets, ByteWriter& out)
{
    out.put(sets.size());
    for (const StateSet& set : sets) {
        out.putText(set.id);
        out.putText(set.title);
        out.put(set.states.size());
        for (const StateKind& state : set.states)
            writeState(state, out);
    }
}

bool readSets(ByteReader& in, std::vector<StateSet>& sets)
{
    const std::size_t count = in.getCount(3);
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        StateSet set;
        set.id = in.getText();
        set.title = in.getText();
        const std::size_t states = in.getCount(12);
        if (states > MostStates)
            return false;
        for (std::size_t s = 0; s < states; ++s)
            set.states.push_back(readState(in));
        sets.push_back(std::move(set));
    }
    return !in.hasFailed() && count <= 255;
}

void writeLinkKinds(const std::vector<LinkKindInfo>& kinds, ByteWriter& out)
{
    out.put(kinds.size());
    for (const LinkKindInfo& kind : kinds) {
        for (const std::string* text : {&kind.id, &kind.title, &kind.detail, &kind.color})
            out.putText(*text);
        out.put(kind.views.size());
        for (const std::string& view : kind.views)
            out.putText(view);
        out.putByte(static_cast<std::uint8_t>(kind.line));
        out.putByte(kind.width);
        out.putByte(static_cast<std::uint8_t>((kind.hasOpenHead ? OpenHead : 0) | (kind.isHiddenByDefault ? HiddenFirst : 0)));
    }
}

bool readLinkKinds(ByteReader& in, std::vector<LinkKindInfo>& kinds)
{
    const std::size_t count = in.getCount(8);
    if (count > MostLinkKinds)
        return false;
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        LinkKindInfo kind;
        for (std::string* text : {&kind.id, &kind.title, &kind.detail, &kind.color})
            *text = in.getText();
        const std::size_t views = in.getCount();
        for (std::size_t v = 0; v < views && !in.hasFailed(); ++v)
            kind.views.emplace_back(in.getText());
        kind.line = LinkLine(std::min(in.getByte(), static_cast<std::uint8_t>(LinkLine::Dotted)));
        kind.width = in.getByte();
        const std::uint8_t flags = in.getByte();
        kind.hasOpenHead = flags & OpenHead;
        kind.isHiddenByDefault = flags & HiddenFirst;
        kinds.push_back(std::move(kind));
    }
    return !in.hasFailed();
}

void writeTrack(const Track& track, StringInterner& texts, ByteWriter& out)
{
    for (const std::string* text : {&track.view, &track.kind, &track.key, &track.label})
        out.put(static_cast<std::uint64_t>(texts.intern(*text)));
    out.put(std::uint32_t(static_cast<std::uint32_t>(track.parent) + 1)); // NoTrack is stored as 0, track n as n + 1.
    out.putByte(static_cast<std::uint8_t>(track.states));
    out.putByte(static_cast<std::uint8_t>(track.role));
    out.putByte(static_cast<std::uint8_t>(static_cast<unsigned>(track.valueKind) | (track.isKernelThread ? KernelThread : 0)
                                          | (track.band == TrackDrawing::Line ? LineBand : 0)));
    for (const std::int32_t number : {track.pid, track.tid, track.cpu, track.sortKey})
        out.putSigned(number);
}

bool readTrack(ByteReader& in, const std::vector<std::string_view>& texts, Track& track)
{
    bool isGood = true;
    for (std::string* text : {&track.view, &track.kind, &track.key, &track.label}) {
        const std::uint64_t id = in.get();
        isGood = isGood && id < texts.size();
        if (isGood)
            *text = texts[id];
    }
    track.parent = TrackId{static_cast<std::uint32_t>(in.get32() - 1)};
    track.states = StateSetId{in.getByte()};
    track.role = TrackRole(in.getByte());
    if (track.role > LastRole)
        track.role = TrackRole::Other;
    const std::uint8_t flags = in.getByte();
    track.valueKind = ValueKind(flags & ~(KernelThread | LineBand));
    track.isKernelThread = flags & KernelThread;
    track.band = flags & LineBand ? TrackDrawing::Line : TrackDrawing::Bars;
    for (std::int32_t* number : {&track.pid, &track.tid, &track.cpu, &track.sortKey})
        *number = static_cast<std::int32_t>(in.getSigned());
    return isGood && !in.hasFailed() && track.valueKind <= LastValueKind;
}

/// True if all parents exist and no track is its own ancestor.
bool areTrees(const std::vector<Track>& tracks)
{
    // For each track: 0 if not visited, else 1 + the index of the track from which it was visited first.
    std::vector<std::uint32_t> seenFrom(tracks.size(), 0);
    for (std::uint32_t start = 0; start < tracks.size(); ++start) {
        std::uint32_t at = start;
        while (seenFrom[at] == 0) {
            seenFrom[at] = start + 1;
            if (tracks[at].parent == NoTrack)
                break;
            at = static_cast<std::uint32_t>(tracks[at].parent);
            if (at >= tracks.size() || seenFrom[at] == start + 1)
                return false;
        }
    }
    return true;
}

} // namespace

void writeSummary(const StoreFacts& facts, ByteWriter& out)
{
    const StoreSummary& summary = facts.summary;
    putTime(out, summary.range.begin);
    putTime(out, summary.range.end);
    out.put(summary.events);
    out.put(summary.lostEvents);
    out.put(summary.lostPackets);
    out.put(summary.eventsByType.size());
    for (const std::uint64_t events : summary.eventsByType)
        out.put(events);
    out.put(summary.anomalies.size());
    for (const Diagnostic& anomaly : summary.anomalies) {
        out.putByte(static_cast<std::uint8_t>(anomaly.severity));
        out.putText(anomaly.kind);
        out.putText(anomaly.file);
        out.put(anomaly.offset);
        out.put(anomaly.count);
        out.putText(anomaly.what);
    }
}

bool readSummary(ByteReader in, StoreFacts& facts)
{
    StoreSummary& summary = facts.summary;
    summary.range.begin = getTime(in);
    summary.range.end = getTime(in);
    summary.events = in.get();
    summary.lostEvents = in.get();
    summary.lostPackets = in.get();
    summary.eventsByType.resize(in.getCount());
    for (std::uint64_t& events : summary.eventsByType)
        events = in.get();
    const std::size_t count = in.getCount(6);
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        Diagnostic anomaly;
        anomaly.severity = Diagnostic::Severity(std::min<std::uint8_t>(in.getByte(), 2));
        anomaly.kind = in.getText();
        anomaly.file = in.getText();
        anomaly.offset = in.get();
        anomaly.count = in.get();
        anomaly.what = in.getText();
        summary.anomalies.push_back(std::move(anomaly));
    }
    facts.isComplete = true;
    facts.knownUntil = summary.range.end;
    return in.isAtEnd();
}

void writeMergeIndex(const StoreFacts& facts, ByteWriter& out)
{
    out.put(facts.checkpoints.size());
    MergeCheckpoint before;
    for (const MergeCheckpoint& checkpoint : facts.checkpoints) {
        out.put(checkpoint.event);
        out.put(difference(checkpoint.time, before.time));
        out.put(checkpoint.streams.size());
        before.streams.resize(checkpoint.streams.size());
        for (std::size_t i = 0; i < checkpoint.streams.size(); ++i) {
            const StreamPosition& stream = checkpoint.streams[i];
            const StreamPosition& last = before.streams[i];
            out.putSigned(static_cast<std::int64_t>(stream.packet) - last.packet);
            out.put(stream.bit);
            out.putSigned(static_cast<std::int64_t>(stream.clock - last.clock));
            out.putSigned(static_cast<std::int64_t>(stream.event - last.event));
            out.put(stream.skip);
        }
        before = checkpoint;
    }
}

bool readMergeIndex(ByteReader in, StoreFacts& facts)
{
    const std::size_t count = in.getCount(3);
    MergeCheckpoint checkpoint;
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        checkpoint.event = in.get();
        checkpoint.time = later(checkpoint.time, in.get());
        checkpoint.streams.resize(in.getCount(5));
        for (StreamPosition& stream : checkpoint.streams) {
            stream.packet = static_cast<std::uint32_t>(stream.packet + in.getSigned());
            stream.bit = in.get();
            stream.clock += static_cast<std::uint64_t>(in.getSigned());
            stream.event += static_cast<std::uint64_t>(in.getSigned());
            stream.skip = in.get32();
        }
        facts.checkpoints.push_back(checkpoint);
    }
    return in.isAtEnd();
}

void writeDensity(const StoreFacts& facts, ByteWriter& out)
{
    const auto& buckets = facts.density;
    out.put(buckets.size());
    if (buckets.empty())
        return;
    putTime(out, buckets.front().begin);
    out.put(buckets.size() > 1 ? difference(buckets[1].begin, buckets[0].begin) : 0);
    for (const DensityBucket& bucket : buckets)
        out.put(bucket.events);
}

bool readDensity(ByteReader in, StoreFacts& facts)
{
    const std::size_t count = in.getCount();
    if (count == 0)
        return in.isAtEnd();
    HostTimestamp begin = getTime(in);
    const std::uint64_t length = in.get();
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        facts.density.push_back({begin, in.get()});
        begin = later(begin, length);
    }
    return in.isAtEnd() && count <= DensityCounter::MaxBuckets
        && std::is_sorted(facts.density.begin(), facts.density.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

void writeLosses(const StoreFacts& facts, ByteWriter& out)
{
    out.put(facts.losses.size());
    HostTimestamp before{};
    for (const Loss& loss : facts.losses) {
        out.putSigned(static_cast<std::int64_t>(difference(loss.range.begin, before)));
        out.put(difference(loss.range.end, loss.range.begin));
        out.put(loss.events);
        out.put(loss.packets);
        out.putSigned(loss.cpu);
        out.put(loss.stream);
        before = loss.range.begin;
    }
}

bool readLosses(ByteReader in, StoreFacts& facts)
{
    const std::size_t count = in.getCount(6);
    HostTimestamp before{};
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) {
        Loss loss;
        loss.range.begin = later(before, static_cast<std::uint64_t>(in.getSigned()));
        loss.range.end = later(loss.range.begin, in.get());
        loss.events = in.get();
        loss.packets = in.get();
        loss.cpu = getSmall(in);
        loss.stream = in.get32();
        before = loss.range.begin;
        facts.losses.push_back(loss);
    }
    return in.isAtEnd();
}

void writeStrings(const StoreFacts& facts, ByteWriter& out)
{
    out.put(facts.strings.size() - 1);
    for (std::uint32_t id = 1; id < facts.strings.size(); ++id)
        out.putText(facts.strings[StringId{id}]);
}

bool readStrings(ByteReader in, StoreFacts& facts)
{
    const std::size_t count = in.getCount();
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i)
        facts.strings.add(in.getText());
    return in.isAtEnd();
}

bool readNumbers(ByteReader in, StoreFacts& facts)
{
    const auto bytes = in.getBytes(in.left());
    if (bytes.size() % sizeof(std::uint64_t) != 0 || bytes.size() / sizeof(std::uint64_t) > MostNumbers)
        return false;
    facts.numbers.assign(bytes.size() / sizeof(std::uint64_t));
    std::ranges::copy(bytes, facts.numbers.bytes().begin());
    return true;
}

void writeTracks(const StoreFacts& facts, ByteWriter& out)
{
    writeSets(facts.stateSets, out);
    writeLinkKinds(facts.linkKinds, out);
    StringInterner texts;
    ByteWriter records;
    for (const Track& track : facts.tracks)
        writeTrack(track, texts, records);
    out.put(texts.pool().size() - 1);
    for (std::uint32_t id = 1; id < texts.pool().size(); ++id)
        out.putText(texts.pool()[StringId{id}]);
    out.put(facts.tracks.size());
    out.append(records.bytes());
}

bool readTracks(ByteReader in, StoreFacts& facts)
{
    if (!readSets(in, facts.stateSets) || !readLinkKinds(in, facts.linkKinds))
        return false;
    std::vector<std::string_view> texts(1);
    const std::size_t textCount = in.getCount();
    for (std::size_t i = 0; i < textCount && !in.hasFailed(); ++i)
        texts.push_back(in.getText());
    const std::size_t count = in.getCount(12);
    facts.tracks.resize(count);
    for (Track& track : facts.tracks) {
        const bool isGood = readTrack(in, texts, track);
        const auto set = static_cast<std::size_t>(track.states);
        if (!isGood || (set != 0 && set >= facts.stateSets.size()))
            return false;
    }
    return in.isAtEnd() && areTrees(facts.tracks);
}

} // namespace helio
