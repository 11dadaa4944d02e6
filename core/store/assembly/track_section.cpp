// The section of state sets, link kinds and tracks. Each text is stored once; a track takes about 15 bytes.

#include "core/store/assembly/store_sections.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::uint8_t KernelThread = 0x80; // Flags of a track.
constexpr std::uint8_t LineBand = 0x40;
constexpr std::uint8_t OpenHead = 1; // Flags of a link kind.
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
    state.meaning = StateCategory(std::min(in.getByte(), static_cast<std::uint8_t>(LastStateCategory)));
    StateStyle& style = state.style;
    for (std::string* text : {&style.color, &style.words, &style.legend, &style.valueTitle, &style.connective})
        *text = in.getText();
    style.height = std::min<std::uint8_t>(in.getByte(), 16);
    style.drawing = BarPattern(std::min(in.getByte(), static_cast<std::uint8_t>(BarPattern::CutCorner)));
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
    out.put(std::uint32_t(static_cast<std::uint32_t>(track.parent) + 1)); // NoTrack is stored as 0
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
    std::vector<std::uint32_t> seenFrom(tracks.size(), 0); // 0 if not visited; otherwise 1 + the track whose walk visited it first
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
