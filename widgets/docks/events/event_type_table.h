#pragma once

#include "core/query/events/event_counts.h"
#include "widgets/async/latest_task.h"
#include "widgets/controls/column_model.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

class QTreeView;

namespace helio {

/// Table of event types, one type per line: name, host, count and share of all events.
class EventTypeModel : public ColumnModel<EventTypeCount> {
    Q_OBJECT

public:
    enum Column { Name, Host, Count, Share, ColumnCount };

    EventTypeModel();

    void setCounts(std::vector<EventTypeCount> counts, std::vector<QString> hosts);
    QString nameAt(int row) const { return QString::fromStdString(line(row).name); }

private:
    std::vector<QString> m_hosts;
    std::uint64_t m_all = 0;
};

/// Table that counts events by type in the selected range or the whole recording, while it is visible. When the user selects a type, emits
/// chosen(), so that only events of the type are listed.
class EventTypeTable : public QWidget {
    Q_OBJECT

public:
    explicit EventTypeTable(ViewContext& context, QWidget* parent = nullptr);

    const EventTypeModel& model() const { return m_model; }

signals:
    void chosen(const QString& name);
    void remark(const QString& text); ///< Emitted with a text for the status, e.g. "41 types in the selected range", "counting, 40 %".

private:
    void showEvent(QShowEvent* event) override;
    void count();
    void say(const QString& text);

    ViewContext& m_context;
    EventTypeModel m_model;
    QTreeView* m_table;
    std::weak_ptr<const Timeline> m_counted;
    TimeRange m_range;
    QString m_said;
    LatestTask m_job;
};

} // namespace helio
