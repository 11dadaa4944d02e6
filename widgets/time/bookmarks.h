#pragma once

#include "core/base/time.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace helio {

/// A place that a person marked: a moment (an empty range) or a stretch.
struct Bookmark {
    TimeRange range;
    QString name;
    bool operator==(const Bookmark&) const = default;
};

/// The bookmarks of a session, in time order. Shown by the ruler, the overview and the Bookmarks dock. UI thread only.
class Bookmarks : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const std::vector<Bookmark>& all() const { return m_all; }

    /// Puts a bookmark on the range and returns its place. One on exactly that range is replaced. Without a name it gets the
    /// lowest number that is free.
    std::size_t add(TimeRange range, const QString& name = {});
    void rename(std::size_t index, const QString& name);
    void remove(std::size_t index);
    void setAll(std::vector<Bookmark> bookmarks);

    /// The bookmark on exactly that range.
    std::optional<std::size_t> find(TimeRange range) const;

signals:
    void changed();

private:
    QString freeName() const;

    std::vector<Bookmark> m_all;
};

} // namespace helio
