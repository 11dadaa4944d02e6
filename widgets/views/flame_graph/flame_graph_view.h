#pragma once

#include "core/query/export/call_tree_text.h"
#include "widgets/flame/flame_view.h"
#include "widgets/sampling/kept_zoom.h"
#include "widgets/sampling/sample_model.h"
#include "widgets/shell/field_grid.h"
#include "widgets/view/menu_offer.h"
#include "widgets/view/saved_choices.h"
#include "widgets/view/searchable.h"
#include "widgets/view/view_context.h"
#include "widgets/views/flame_graph/flame_choices.h"
#include "widgets/work/latest_job.h"

#include <QPointer>

class QHBoxLayout;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace helio {

class CrumbTrail;
class Pill;
class NoSamplesPage;
class StateTip;
struct TipContent;

/// Where the time of the shown samples went: a flame graph with what chooses its shape, a search, and the way back.
class FlameGraphView : public PanelGround, public SavedChoices, public MenuOffer, public Searchable {
    Q_OBJECT

public:
    explicit FlameGraphView(ViewContext& context, QWidget* parent = nullptr);
    ~FlameGraphView() override;

    FlameView& graph() { return *m_graph; }
    const FlameChoices& choices() const { return m_choices; }
    void setChoices(const FlameChoices& choices);
    void search(const QString& text);
    void focusSearch() override;
    /// Out of the latest zoom, search, sandwich, "only" or "without" that still holds. False: there is none.
    bool stepBack();
    QJsonObject save() const override; ///< Choices, also of the samples, and zoom.
    void restore(const QJsonObject& kept) override;
    void offerMenus(QMenu& menu) override;
    /// Asks where, and saves the graph as a picture or text.
    void save(const QString& suggestion, const QString& filter);
    QString found() const; ///< Beside the search field: "58.0 % in 3 frames".

private:
    void makeHead();
    void makeSearch();
    void wire();
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    void build(); ///< Trees, from the samples shown.
    void take(FlameContent content, const ShownSamples& samples);
    void showState();
    void showWork();
    void showPage();
    void updateFound();
    void updateTrail();
    void updateLook();
    void showTip(const std::optional<FlamePlace>& place, QPoint position);
    TipContent tipOf(const FlamePlace& place) const;

    // flame_graph_menus.cpp
    void fillKindMenu(QMenu* menu);
    void fillShapeMenu(QMenu* menu);
    void fillColorMenu(QMenu* menu); ///< With a legend.
    void fillColorings(QMenu* menu);
    void fillOptionsMenu(QMenu* menu);
    void fillExportMenu(QMenu* menu);
    void showFrameMenu(const FlamePlace& place, QPoint at);
    void addChip(const QString& text, std::function<void(FlameChoices&)> takeAway);
    void showEverything();
    void grant(SampleModel::FlameWish wish, const SampledFunction& function);
    void change(const std::function<void(FlameChoices&)>& edit);
    void savePng(const QString& path);
    /// Writes a file's text, on a thread of its own.
    using Writer = std::function<void(const TextSink& sink, std::stop_token stop)>;
    Writer svgWriter() const;
    Writer foldedWriter() const;
    Writer speedscopeWriter() const;
    void saveText(const QString& path, Writer write);
    void copyStack(const CallTree& tree, std::uint32_t node) const;

    /// What a person did to see less; zooms are the graph's own.
    struct Step {
        std::function<void(FlameChoices&)> takeAway; ///< None: a search.
        std::size_t zooms; ///< There were before.
    };
    void noteSteps(const FlameChoices& before, const FlameChoices& after);
    void noteSearch();

    ViewContext& m_context;
    SampleModel& m_samples;
    FlameChoices m_choices;
    FlameView* m_graph;
    QStackedWidget* m_stack;
    NoSamplesPage* m_page;
    QLabel* m_title;
    QLabel* m_count;
    QLabel* m_work;
    QToolButton* m_stopWork;
    Pill* m_kind;
    Pill* m_shape;
    Pill* m_color;
    Pill* m_options;
    Pill* m_all;
    QHBoxLayout* m_head;
    QLineEdit* m_search;
    QAction* m_magnifier;
    QLabel* m_found;
    QToolButton* m_more;
    QWidget* m_trail; ///< Breadcrumbs and chips.
    CrumbTrail* m_crumbs;
    QHBoxLayout* m_chips;
    QPointer<StateTip> m_tip; ///< Its parent is the window, which may go first.
    ShownSamples m_drawn; ///< What the graph shows.
    KeptZoom m_keptZoom;
    std::vector<Step> m_steps; ///< Latest last. Some may have been undone otherwise.
    QTimer m_workTimer;
    LatestJob m_job;
    LatestJob m_exportJob;
};

} // namespace helio
