#pragma once

#include "widgets/eventlist/event_pages.h"
#include "widgets/time/time_format.h"

#include <QAbstractTableModel>

namespace helio {

/// The lines of an event list that are on screen: a window of some dozen rows over EventPages, which may hold more rows than an int.
class EventModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Host, Cpu, Tid, Name, Fields, ColumnCount };

    explicit EventModel(EventPages& pages, QObject* parent = nullptr);

    void setWindow(std::uint64_t first, int lines);
    std::uint64_t first() const { return m_first; }
    int lines() const { return m_lines; }
    void setTimeFormat(const TimeFormat& format);
    const TimeFormat& timeFormat() const { return m_format; }
    /// The marked rows (search hits), by number, ascending; null: none. The caller's.
    void setMarks(const std::vector<EventHit>* marks);
    bool isMarked(std::uint64_t position) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();

    EventPages& m_pages;
    std::uint64_t m_first = 0;
    int m_lines = 0;
    TimeFormat m_format;
    const std::vector<EventHit>* m_marks = nullptr;
};

/// An event's fields on one line: "prev_comm=bash prev_tid=42".
QString fieldsText(const EventRow& row);

} // namespace helio
