#pragma once

#include "widgets/compare/difference/difference_style.h"
#include "widgets/flame/frame/flame_graph_base.h"
#include "widgets/workspace/saved_view_state.h"

class QAction;
class QSplitter;

namespace helio {

class DifferenceRamp;
class DifferenceTable;
class EmptyPage;

/// The differential flame graph: shows where time grew from A to B and where it shrank. The table of the functions is below it.
class DifferenceGraphView : public FlameGraphBase, public SavedViewState {
    Q_OBJECT

public:
    explicit DifferenceGraphView(DifferenceModel& model, QWidget* parent = nullptr);

    const DifferenceRamp& ramp() const { return *m_ramp; }
    const DifferenceGraphOptions& look() const { return m_look; }
    void setLook(const DifferenceGraphOptions& look);
    QJsonObject save() const override; ///< Returns choices, look and zoom.
    void restore(const QJsonObject& kept) override;
    void focusSearch() override; ///< Shows the search field, which is hidden by default, and focuses it.

    /// Menu actions that save as SVG, PNG, folded stacks and CSV. Ownership: this view.
    QList<QAction*> exports() const { return m_exports; }

private:
    void makeHead();
    void makeTrail();
    void makeBody();
    void makeExports();
    void wire();
    void resizeEvent(QResizeEvent* event) override;

    void build() override; ///< Computes widths and colours of the shown difference.
    void take(FlameContent content, std::shared_ptr<const DifferenceStyle> style, const DifferenceResult& shown);
    void showState() override;
    QString amountsText() const;
    void shareHeight();
    void placeRamp();
    void setSearching(bool isOn);
    QString matchShareText(const SampleSum& sum, const FunctionMatcher& matches) const override; ///< E.g. "12.0 % of A, 34.1 % of B".
    TipContent tipOf(const FlameFrameRef& place) const override;

    // difference_graph_menus.cpp
    void fillAmountMenu(QMenu* menu);
    void fillWidthMenu(QMenu* menu);
    void fillColorMenu(QMenu* menu);
    void fillShapeMenu(QMenu* menu);
    void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place) override;
    void change(const std::function<void(DifferenceGraphOptions&)>& edit);
    void choose(const std::function<void(DifferenceSettings&)>& edit);
    void askUnits();
    void addExport(const QString& text, const QString& suggestion, const QString& filter,
                   const std::function<bool(const QString& path)>& save);
    bool savePng(const QString& path) const;
    bool saveSvg(const QString& path) const;

    DifferenceModel& m_model;
    DifferenceGraphOptions m_look;
    EmptyPage* m_page;
    DifferenceTable* m_table;
    QSplitter* m_parts; ///< Contains graph and table.
    Pill* m_amounts;
    Pill* m_width;
    Pill* m_color;
    Pill* m_shape;
    Pill* m_elided;
    DifferenceRamp* m_ramp; ///< Lies in the head, or in the trail if the head has no room for it.
    QToolButton* m_magnifier;
    QToolButton* m_more;
    bool m_isPartedByHand = false; ///< True once the user moved the handle between graph and table.
    QList<QAction*> m_exports;
    DifferenceResult m_drawn; ///< The difference that the graph shows.
    std::shared_ptr<const DifferenceStyle> m_style; ///< nullptr if the graph shows nothing.
};

} // namespace helio
