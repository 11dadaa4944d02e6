#pragma once

#include "widgets/docks/events/state_group_model.h"
#include "widgets/docks/events/state_list_model.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

class QTreeView;

namespace helio {

/// Results of a search over states: a sortable list of intervals, and their total durations by state and row. Selecting a line of the
/// durations limits the list to its intervals.
class StateResults : public QWidget {
    Q_OBJECT

public:
    explicit StateResults(ViewContext& context, QWidget* parent = nullptr);

    void setFound(std::shared_ptr<const StateSearchResult> found);
    void setTimeFormat(const TimeFormat& format) { m_lines.setTimeFormat(format); }
    void setCurrent(std::optional<std::size_t> hit); ///< Selects the hit with an index among all hits; nullopt for none.

    const StateListModel& lines() const { return m_lines; }
    const StateGroupModel& groups() const { return m_groups; }

signals:
    void chosen(quint64 hit);

private:
    void order();
    void showColumns(bool hasDetails);

    std::shared_ptr<const StateSearchResult> m_found;
    StateListModel m_lines;
    StateGroupModel m_groups;
    QTreeView* m_list;
    QTreeView* m_summary;
    std::optional<std::size_t> m_current;
    LatestTask m_job;
};

} // namespace helio
