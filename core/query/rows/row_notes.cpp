#include "core/query/rows/row_notes.h"

#include "core/query/rows/timeline_access.h"

namespace helio {
namespace {

std::optional<RowNote> noteIn(const Store& store, TrackId row)
{
    for (const TrackId child : store.childrenOf(row))
        if (auto note = readNote(store.tracks()[static_cast<std::size_t>(child)]))
            return note;
    return {};
}

/// Calls visit(id, row, note) for each row of the store that has a note (RowNote). `row` is the row's track, `id` its TrackId.
template <typename Visit> void forEachRowNote(const Store& store, const Visit& visit)
{
    for (const Track& track : store.tracks())
        if (const auto note = readNote(track); note && track.parent != NoTrack)
            visit(track.parent, store.tracks()[static_cast<std::size_t>(track.parent)], *note);
}

void replaceAll(std::string& text, const std::string& id, const std::string& title)
{
    for (std::size_t at = text.find(id); at != std::string::npos; at = text.find(id, at + title.size())) {
        const char next = at + id.size() < text.size() ? text[at + id.size()] : '\0';
        // Skip ids that are a prefix of a longer number: "cpu:1" must not match "cpu:12".
        if (next >= '0' && next <= '9')
            continue;
        text.replace(at, id.size(), title);
        // Insert ":" between the title and a following activity: "vCPU 0 of web: hog". Do not insert ":" before " and 2 more", which
        // is a number of further rows and no activity.
        if (next == ' ' && text.compare(at + title.size(), 5, " and ") != 0)
            text.insert(at + title.size(), ":");
    }
}

} // namespace

std::optional<RowNote> noteOf(const Timeline& timeline, TrackRef row)
{
    if (!isOfAllTraces(timeline, row.store) || !trackOf(timeline, row))
        return {};
    auto note = noteIn(*storeOf(timeline, row), row.track);
    return note && note->trace < timeline.traces.size() ? std::move(note) : std::nullopt;
}

std::string rowTitle(const Timeline& timeline, TrackRef row)
{
    const auto note = noteOf(timeline, row);
    return note ? note->title : std::string();
}

std::string titleOf(const Timeline& timeline, const Row& row)
{
    std::string title = rowTitle(timeline, row.ref);
    return title.empty() ? row.label : title;
}

std::optional<std::uint32_t> findGuestHost(const Timeline& timeline, TrackRef row)
{
    const auto note = noteOf(timeline, row);
    if (!note || note->inner < 0 || static_cast<std::size_t>(note->inner) >= timeline.traces.size())
        return {};
    return timeline.traces[static_cast<std::size_t>(note->inner)].host;
}

bool hasNoHost(const Timeline& timeline, TrackRef row) { return isOfAllTraces(timeline, row.store) && !noteOf(timeline, row); }

std::map<TrackRef, TrackRef> rowsBelow(const Timeline& timeline)
{
    std::map<TrackRef, TrackRef> found;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (isOfAllTraces(timeline, index))
            forEachRowNote(store, [&](TrackId row, const Track&, const RowNote& note) {
                if (note.kind == RowNote::Source::Below && note.source.isValid())
                    found.emplace(TrackRef{index, row}, note.source);
            });
    });
    return found;
}

TrackRef findMirrorRow(const Timeline& timeline, TrackRef source)
{
    TrackRef found;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (source.isValid() && isOfAllTraces(timeline, index))
            forEachRowNote(store, [&](TrackId row, const Track&, const RowNote& note) {
                if (note.source == source && note.kind != RowNote::Source::Below && note.kind != RowNote::Source::About)
                    found = {index, row};
            });
    });
    return found;
}

TrackRef findCorrelatorRow(const Timeline& timeline, std::string_view view, std::string_view id, TrackRef source)
{
    // Rows that findCorrelatorRow() may return, the best first. `exact` has the id and shows the contents of `source`; `named` has the id;
    // `same` shows the contents of `source`. The id alone is not enough, because rows of several hosts may have the same id.
    TrackRef exact, named, same;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (!isOfAllTraces(timeline, index))
            return;
        const auto tracks = store.tracks();
        for (std::uint32_t i = 0; i < tracks.size() && !named.isValid(); ++i)
            if (tracks[i].key == id && tracks[i].view == view)
                named = {index, TrackId{i}};
        forEachRowNote(store, [&](TrackId row, const Track& track, const RowNote& note) {
            if (source.isValid() && note.source == source && track.view == view)
                (track.key == id ? exact : same) = {index, row};
        });
    });
    return exact.isValid() ? exact : named.isValid() ? named : same;
}

namespace {

/// Returns pairs of a recorded row (RowNote::source) and the correlator's row that has the note. Only notes are included for which
/// isMeant(RowNote::kind) is true.
template <typename IsMeant> std::vector<std::pair<TrackRef, TrackRef>> rowsWithSources(const Timeline& timeline, const IsMeant& isMeant)
{
    std::vector<std::pair<TrackRef, TrackRef>> found;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (isOfAllTraces(timeline, index))
            forEachRowNote(store, [&](TrackId row, const Track&, const RowNote& note) {
                if (isMeant(note.kind) && note.source.isValid())
                    found.emplace_back(note.source, TrackRef{index, row});
            });
    });
    return found;
}

} // namespace

std::vector<std::pair<TrackRef, TrackRef>> guestRowPairs(const Timeline& timeline)
{
    return rowsWithSources(timeline, [](RowNote::Source kind) { return kind == RowNote::Source::Inside; });
}

std::vector<std::pair<TrackRef, TrackRef>> repeatedRowPairs(const Timeline& timeline)
{
    return rowsWithSources(timeline, [](RowNote::Source kind) { return kind == RowNote::Source::Inside || kind == RowNote::Source::Same; });
}

namespace {

/// Returns pairs of id and title for all rows of the store that have a title.
std::vector<std::pair<std::string, std::string>> titlesIn(const Store& store)
{
    std::vector<std::pair<std::string, std::string>> titles;
    forEachRowNote(store, [&](TrackId, const Track& track, const RowNote& note) {
        if (!note.title.empty() && note.title != track.label)
            titles.emplace_back(track.key, note.title);
    });
    return titles;
}

bool namesRows(const Timeline& timeline, TrackRef row)
{
    return isOfAllTraces(timeline, row.store) && valueKindOf(timeline, row) == ValueKind::Text;
}

} // namespace

std::string formatValue(const Timeline& timeline, TrackRef row, std::uint32_t value)
{
    std::string text = valueText(timeline, row, value);
    if (!text.empty() && namesRows(timeline, row))
        for (const auto& [id, title] : titlesIn(*storeOf(timeline, row)))
            replaceAll(text, id, title);
    return text;
}

ValueFormatter::ValueFormatter(const Timeline& timeline)
    : m_timeline(timeline)
{
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        if (isOfAllTraces(timeline, index))
            m_titles.emplace(index, titlesIn(store));
    });
}

std::string ValueFormatter::of(TrackRef row, std::uint32_t value) const
{
    std::string text = valueText(m_timeline, row, value);
    if (const auto titles = m_titles.find(row.store); !text.empty() && titles != m_titles.end() && namesRows(m_timeline, row))
        for (const auto& [id, title] : titles->second)
            replaceAll(text, id, title);
    return text;
}

} // namespace helio
