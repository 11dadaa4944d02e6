#pragma once

#include "widgets/compare/difference/difference_style.h"
#include "widgets/flame/flame_view.h"
#include "widgets/sampling/kept_zoom.h"
#include "widgets/shell/field_grid.h"
#include "widgets/view/saved_choices.h"
#include "widgets/work/latest_job.h"

#include <QPointer>

class QAction;
class QHBoxLayout;
class QLineEdit;
class QMenu;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace helio {

class CrumbTrail;
class DifferenceRamp;
class DifferenceTable;
class EmptyPage;
class Pill;
class StateTip;

/// The differential flame graph: what grew from A to B and what shrank, with its functions below.
class DifferenceGraphView : public PanelGround, public SavedChoices {
    Q_OBJECT

public:
    explicit DifferenceGraphView(DifferenceModel& model, QWidget* parent = nullptr);
    ~DifferenceGraphView() override;

    FlameView& graph() { return *m_graph; }
    const DifferenceRamp& ramp() const { return *m_ramp; }
    const DifferenceLook& look() const { return m_look; }
    void setLook(const DifferenceLook& look);
    QJsonObject save() const override; ///< What is compared, look and zoom.
    void restore(const QJsonObject& kept) override;
    void search(const QString& text);
    QString found() const; ///< "12.0 % of A, 34.1 % of B in 3 frames".

    /// Save as SVG, PNG, folded and csv: for menus. The view's.
    QList<QAction*> exports() const { return m_exports; }

private:
    void makeHead();
    void makeTrail();
    void makeExports();
    void wire();
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    void build(); ///< Widths and colours, from the difference shown.
    void take(FlameContent content, std::shared_ptr<const DifferenceStyle> style, const ShownDifference& shown);
    void showState();
    void showWork();
    void shareHeight();
    void placeRamp();
    void setSearching(bool isOn);
    void updateFound();
    void updateTrail();
    void updateLook();
    void showTip(const std::optional<FlamePlace>& place, QPoint position);

    // difference_graph_menus.cpp
    void fillAmountMenu(QMenu* menu);
    void fillWidthMenu(QMenu* menu);
    void fillColorMenu(QMenu* menu);
    void fillShapeMenu(QMenu* menu);
    void showFrameMenu(const FlamePlace& place, QPoint at);
    void change(const std::function<void(DifferenceLook&)>& edit);
    void choose(const std::function<void(DifferenceChoices&)>& edit);
    void askUnits();
    void addExport(const QString& text, const QString& suggestion, const QString& filter,
                   const std::function<bool(const QString& path)>& save);
    bool savePng(const QString& path) const;
    bool saveSvg(const QString& path) const;

    DifferenceModel& m_model;
    DifferenceLook m_look;
    FlameView* m_graph;
    DifferenceTable* m_table;
    QSplitter* m_parts;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    QHBoxLayout* m_head;
    QLabel* m_title;
    Pill* m_amounts;
    Pill* m_width;
    Pill* m_color;
    Pill* m_shape;
    Pill* m_elided;
    DifferenceRamp* m_ramp;
    QToolButton* m_magnifier;
    QToolButton* m_more;
    QWidget* m_trail; ///< Breadcrumbs and search; the ramp too, where the head has no room for it.
    QHBoxLayout* m_trailLine;
    CrumbTrail* m_crumbs;
    QLabel* m_work;
    QLineEdit* m_search;
    QLabel* m_found;
    bool m_isSearching = false;
    bool m_isPartedByHand = false; ///< Graph and table.
    QList<QAction*> m_exports;
    QPointer<StateTip> m_tip; ///< Its parent is the window, which may go first.
    ShownDifference m_drawn; ///< What the graph shows.
    KeptZoom m_keptZoom;
    std::shared_ptr<const DifferenceStyle> m_style; ///< Null: nothing.
    QTimer m_workTimer;
    LatestJob m_job;
};

} // namespace helio
