#pragma once

#include "widgets/time/bookmarks.h"
#include "widgets/workspace/change_history.h"

#include <QObject>

#include <memory>
#include <vector>

namespace helio {

/// Records the user's changes to bookmarks in a history. Converts the times in the history when the axis gets another clock.
/// Ownership: bookmarks and history outlive the object's last recorded change.
class BookmarkChanges : public QObject {
    Q_OBJECT

public:
    /// `owner` is the owner of the changes in the history.
    BookmarkChanges(Bookmarks& bookmarks, ChangeHistory& history, QObject* owner);

private:
    using Version = std::shared_ptr<std::vector<Bookmark>>;

    void record(const QString& text, const QString& mergeKey, const std::vector<Bookmark>& before);
    void moveTimes(const std::function<Timestamp(Timestamp)>& moved);
    Version keep(const std::vector<Bookmark>& bookmarks);

    Bookmarks& m_bookmarks;
    ChangeHistory& m_history;
    const QObject* m_owner;
    /// Lists of bookmarks that undo and redo restore; their times are converted when the axis gets another clock.
    std::vector<std::weak_ptr<std::vector<Bookmark>>> m_versions;
};

} // namespace helio
