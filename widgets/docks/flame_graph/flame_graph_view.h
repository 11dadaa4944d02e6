#pragma once

#include "widgets/docks/flame_graph/flame_choices.h"
#include "widgets/flame/frame/flame_exporter.h"
#include "widgets/flame/frame/flame_graph_base.h"
#include "widgets/flame/frame/flame_undo.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_roles.h"

namespace helio {

class NoSamplesPage;

/// Dock with a flame graph of the shown samples, controls for its shape, a search, and a way to undo each choice.
class FlameGraphView : public FlameGraphBase, public SavedViewState, public MenuProvider, public CommandProvider {
    Q_OBJECT

public:
    explicit FlameGraphView(ViewContext& context, QWidget* parent = nullptr);

    const FlameChoices& choices() const { return m_choices; }
    void setChoices(const FlameChoices& choices);
    /// Undoes the latest choice that is still in effect: zoom, search, sandwich, "only" or "without". Returns false if there is none.
    bool stepBack();
    QJsonObject save() const override; ///< Saves the choices and the zoom, including the choice of samples.
    void restore(const QJsonObject& kept) override;
    void fillOfferedMenus(QMenu& menu) override;
    ShownCommand shownCommand() const override;
    /// Asks for a file name, and saves the graph as a picture or text.
    void save(const QString& suggestion, const QString& filter) { m_saver.save(suggestion, filter); }

private:
    void makeHead();
    void wire();
    bool eventFilter(QObject* watched, QEvent* event) override;

    void build() override; ///< Builds trees from the shown samples.
    void take(FlameContent content, const CollectedSamples& samples);
    void showState() override;
    void updatePage();
    void updateChips();
    QString countShown() const;
    QString matchShareText(const SampleSum& sum, const FunctionMatcher& matches) const override;
    TipContent tipOf(const FlameFrameRef& place) const override;

    // Adds the kinds of samples to a menu. Defined in flame_graph_menus.cpp, like the functions below.
    void fillKindMenu(QMenu* menu);
    void fillShapeMenu(QMenu* menu);
    void fillColorMenu(QMenu* menu); ///< Adds the ways of colouring, with a legend.
    void fillColorings(QMenu* menu);
    void fillOptionsMenu(QMenu* menu);
    void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place) override;
    void showEverything();
    void grant(SampleModel::FlameGraphRequest wish, const SampledFunction& function);
    void change(const std::function<void(FlameChoices&)>& edit);
    FileWriter speedscopeWriter() const;

    void noteSteps(const FlameChoices& before, const FlameChoices& after);
    void noteStep(std::function<void(FlameChoices&)> takeAway);

    SampleModel& m_samples;
    FlameChoices m_choices;
    NoSamplesPage* m_page;
    QLabel* m_count;
    Pill* m_kind;
    Pill* m_shape;
    Pill* m_color;
    Pill* m_all;
    CollectedSamples m_drawn; ///< Samples from which the graph is drawn.
    FlameUndoStack m_steps;
    FlameExporter m_saver;
};

} // namespace helio
