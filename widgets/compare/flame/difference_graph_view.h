#pragma once

#include "widgets/compare/difference/difference_style.h"
#include "widgets/compare/flame/difference_flame.h"
#include "widgets/flame/frame/flame_graph_base.h"
#include "widgets/workspace/view_roles.h"

class QAction;
class QSplitter;

namespace helio {

class DifferenceTable;

/// View with a differential flame graph, which shows where time grew from A to B and where it shrank. The table of functions is below.
class DifferenceGraphView : public DifferenceFlame, public SavedViewState {
    Q_OBJECT

public:
    explicit DifferenceGraphView(DifferenceModel& model, QWidget* parent = nullptr);

    const DifferenceGraphOptions& look() const { return m_look; }
    void setLook(const DifferenceGraphOptions& look);
    QJsonObject save() const override; ///< Saves choices, look and zoom.
    void restore(const QJsonObject& kept) override;
    void focusSearch() override; ///< Shows the search field, which is hidden by default, and sets the focus to it.

    /// Returns the menu actions that save the graph as SVG, PNG, folded stacks or CSV.
    /// Ownership: owned by this view.
    QList<QAction*> exports() const { return m_exports; }

private:
    void makeHead();
    void makeTrail();
    void makeBody();
    void makeExports();
    void wire();
    void resizeEvent(QResizeEvent* event) override;

    DifferenceResult toDraw() const override { return m_model.shown(); }
    void drew() override;
    void showState() override;
    QString amountsText() const;
    void shareHeight();
    void placeRamp(); ///< Places the legend of the colours, `m_ramp`: in head(), or in trail() if head() is too narrow.
    void setSearching(bool isOn);

    // Adds the choices for comparable amounts to a menu. Defined in difference_graph_menus.cpp, like the functions below.
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
    DifferenceTable* m_table;
    QSplitter* m_parts; ///< Splitter with graph and table.
    Pill* m_amounts;
    Pill* m_width;
    Pill* m_color;
    Pill* m_shape;
    Pill* m_elided;
    QToolButton* m_magnifier;
    QToolButton* m_more;
    bool m_isPartedByHand = false; ///< True if the user moved the handle between graph and table.
    QList<QAction*> m_exports;
};

} // namespace helio
