#include "widgets/workspace/bookmark_changes.h"

namespace helio {

BookmarkChanges::BookmarkChanges(Bookmarks& bookmarks, ChangeHistory& history, QObject* owner)
    : QObject(owner)
    , m_bookmarks(bookmarks)
    , m_history(history)
    , m_owner(owner)
{
    connect(&bookmarks, &Bookmarks::edited, this, &BookmarkChanges::record);
    connect(&bookmarks, &Bookmarks::clockChanged, this, &BookmarkChanges::moveTimes);
}

void BookmarkChanges::record(const QString& text, const QString& mergeKey, const std::vector<Bookmark>& before)
{
    const auto restore = [this](const Version& version) { return [this, version] { m_bookmarks.setAll(*version); }; };
    m_history.add(m_owner, {.text = text, .undo = restore(keep(before)), .redo = restore(keep(m_bookmarks.all())), .mergeKey = mergeKey});
}

BookmarkChanges::Version BookmarkChanges::keep(const std::vector<Bookmark>& bookmarks)
{
    std::erase_if(m_versions, [](const auto& version) { return version.expired(); });
    auto version = std::make_shared<std::vector<Bookmark>>(bookmarks);
    m_versions.push_back(version);
    return version;
}

void BookmarkChanges::moveTimes(const std::function<Timestamp(Timestamp)>& moved)
{
    for (const auto& kept : m_versions)
        if (const Version version = kept.lock())
            moveBookmarks(*version, moved);
}

} // namespace helio
