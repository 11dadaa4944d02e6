#pragma once

#include "widgets/eventlist/event_pages.h"
#include "widgets/time/time_format.h"

#include <QAbstractTableModel>

namespace helio {

/// Model of the lines of an event list that are on screen: a window of some dozen rows over EventPages, which may have more rows than fit
/// an int.
class EventModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// Columns. From ColumnCount on, each column is a field of fieldColumns().
    enum Column { Time, Host, Cpu, Tid, Name, Fields, ColumnCount };

    explicit EventModel(EventPages& pages, QObject* parent = nullptr);

    void setWindow(std::uint64_t first, int lines);
    std::uint64_t first() const { return m_first; }
    int lines() const { return m_lines; }
    void setTimeFormat(const TimeFormat& format);
    const TimeFormat& timeFormat() const { return m_format; }
    const QStringList& fieldColumns() const { return m_fieldColumns; }
    void setFieldColumns(const QStringList& names);
    /// Sets the rows to mark as search hits, sorted by event number; nullptr for none.
    /// Ownership: owned by the caller; must be valid until the next call or until the model is destroyed.
    void setMarks(const std::vector<EventHit>* marks);
    bool isMarked(std::uint64_t position) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void refresh();
    QString fieldText(const EventRow& row, int column) const;

    EventPages& m_pages;
    std::uint64_t m_first = 0;
    int m_lines = 0;
    TimeFormat m_format;
    QStringList m_fieldColumns;
    const std::vector<EventHit>* m_marks = nullptr;
};

/// Returns the event's field with this name, otherwise its context with this name; nullptr if there is neither.
const FieldValue* fieldOf(const EventRow& row, const QString& name);

/// Returns the text of an event as its tracer prints it. An event without such a text is shown by its fields in one line, e.g. "cpu=1
/// prev_tid=42".
QString fieldsText(const EventRow& row);

} // namespace helio
