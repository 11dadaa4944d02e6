#pragma once

#include "core/query/rows/scenarios.h"
#include "widgets/async/debounced_query.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace helio {

/// List of an analysis's scenarios in progress at the cursor, with their stored values. Follows the cursor.
/// Threads: UI thread.
class ScenarioList : public QWidget {
    Q_OBJECT

public:
    explicit ScenarioList(ViewContext& context, QWidget* parent = nullptr);

    /// Sets the view that contains everything the analysis stores. If `view` is empty, the list is empty and `why` is shown as the reason.
    void setView(const QString& view, const QString& why);

private:
    void ask();
    void show(const Timeline& timeline, const ActiveScenarios& active, Timestamp at);
    void say(const QString& heading, const QString& hint);
    void forgetWidths();
    void widen();
    void showEvent(QShowEvent* event) override;

    ViewContext& m_context;
    QString m_view;
    QLabel* m_heading;
    QLabel* m_hint;
    QTreeWidget* m_table;
    std::vector<Scenario> m_shown;
    DebouncedQuery m_answer;
};

} // namespace helio
