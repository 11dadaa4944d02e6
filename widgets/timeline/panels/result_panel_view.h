#pragma once

#include "widgets/timeline/graph/time_panel.h"
#include "widgets/workspace/result_panels.h"
#include "widgets/workspace/shown_command.h"

#include <QPointer>

class QLabel;

namespace helio {

class ResultBars;
class ResultCurves;
class ViewContext;

/// Panel with the result of a query, as bars or as curves. Its header says how many rows are in view, and has a link to the query.
class ResultPanelView final : public TimePanel, public CommandProvider {
    Q_OBJECT

public:
    static constexpr int Order = 12; ///< Position of a new panel: below the CPUs.

    ResultPanelView(ViewContext& context, TimeAxis& axis, const ResultPanel& panel, QWidget* parent);

    /// Shows the panel's present contents. Requires: `panel` has the same id and shape.
    void show(const ResultPanel& panel);
    const ResultPanel& shown() const { return m_shown; } ///< Panel as shown.
    bool isChart() const { return m_curves != nullptr; }
    ResultBars* bars() const { return m_bars; } ///< nullptr for curves.
    ResultCurves* curves() const { return m_curves; } ///< nullptr for bars.

    QWidget* body() const override;
    int emptyTextHeight() const override;
    int heightOfWholeRows(int most) const override;
    void stepChange(bool forward) override;
    ShownCommand shownCommand() const override;
    void fillMenu(QMenu& menu) override;
    void fillBodyMenu(QMenu& menu) override;

protected:
    int bodyHeight() const override;

private:
    void showMark();
    void showCount();
    void addActions(QMenu& menu);
    QString idText() const { return QString::fromStdString(id()); }

    ResultPanels& m_panels;
    ResultBars* m_bars = nullptr;
    ResultCurves* m_curves = nullptr;
    QLabel* m_notice;
    ResultPanel m_shown;
};

} // namespace helio
