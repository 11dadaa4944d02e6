#pragma once

#include "app/gui/analyses/declared_analyses.h"
#include "app/gui/common/experiment_pane.h"
#include "app/gui/common/program_theme.h"
#include "app/gui/compare_window/comparison_file.h"
#include "widgets/compare/compare_context.h"
#include "widgets/compare/side_look.h"

#include <QMainWindow>

#include <array>

class QSplitter;

namespace helio {

class Actions;
class AnalysisHand;
class ComparisonDocks;
class HeaderBar;
class NoticeBar;
class SelectedRows;
class SideFrame;
class SideNames;
class SideStacks;
class StatusBar;
class WindowPalette;

/// Two experiments, A above B under one ruler; below, what differs and why B took longer. Owns the panes of both. UI thread.
class CompareWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit CompareWindow(QWidget* parent = nullptr);
    ~CompareWindow() override;

    /// XML files of analyses, which run on every trace.
    void loadAnalyses(const std::vector<std::filesystem::path>& files) { m_analyses.addGiven(files); }
    /// Opens the two sides, and goes where the comparison was left. `options`: their analyses are those that files do not add; clocks are
    /// what they say of both sides, else what the comparison does.
    void open(const Comparison& comparison, const ExperimentOptions& options);
    /// As it is now.
    Comparison comparison() const;

    CompareContext& context() { return m_context; }
    Session& session(Side side) { return pane(side).session(); }

private:
    void resizeEvent(QResizeEvent* event) override;
    void giveRoom();
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

    struct Parts {
        std::unique_ptr<ExperimentPane> pane;
        SideFrame* overview = nullptr;
    };

    Parts& part(Side side) { return m_sides[std::size_t(side)]; }
    ExperimentPane& pane(Side side) const { return *m_sides[std::size_t(side)].pane; }
    ViewContext& contextOf(Side side) { return m_context.side(side); }

    ExperimentPane& current();
    Parts sideOf(Side side);
    void setBeside(bool isBeside);
    void filterThreads();
    void showCpus(bool areShown, bool areAskedFor);
    void giveCpusRoom();
    void updateCpuAction();
    void wireSide(Side side);
    void placeOnce();
    void updateFormats();
    void updateTitles();
    void updateNote();
    void updateProgress();

    // compare_window_actions.cpp: what the actions do.
    void makeMenus();
    void bindFileActions();
    void bindViewActions();
    void bindGoActions();
    void bindAlignActions();
    void bindCompareActions();
    void makePalette();
    void sayWhereTheLaneIs(); ///< Which needs one axis for both.
    void save(const QString& path);

    // compare_window_analyses.cpp: the analyses in files.
    void wireAnalyses();
    void makeAnalysesMenu();
    void chooseAnalyses(const Comparison& comparison, const ExperimentOptions& options);
    void listAnalyses();
    void listAnalysesOfOpened();
    void runAnalyses();
    void useAllowedPlugins();
    void followNotice(const QString& reference);

    ProgramTheme m_theme; ///< First: what is made after it is made in its colours.
    Settings m_settings;
    HeaderBar* m_header;
    SideNames* m_names;
    StatusBar* m_status;
    NoticeBar* m_notice;
    std::array<Parts, 2> m_sides;
    CompareContext m_context;
    Actions* m_actions;
    WindowPalette* m_palette = nullptr;
    AlignmentControl* m_alignment;
    ComparisonDocks* m_docks;
    SideStacks* m_stacks;
    QSplitter* m_parts;
    bool m_isPartedByHand = false; ///< A person set the height of the docks.
    Comparison m_pending; ///< Where to go once both sides are known.
    DeclaredAnalyses m_analyses;
    AnalysisHand* m_hand = nullptr;
    std::vector<const void*> m_listedFor; ///< The traces and analyses that the list of analyses speaks of.
    ExperimentOptions m_base; ///< Without the analyses of files.
    ExperimentOptions m_options; ///< With them.
    std::array<SessionState, 2> m_places; ///< The selected rows, while their timelines are replaced.
    QString m_path; ///< Of its file; empty: not saved yet.
    bool m_isPlaced = false;
    bool m_isLow = false; ///< The window.
    bool m_areCpusAskedFor = false; ///< By the user: their rows have the height that they need.
    std::unique_ptr<SelectedRows> m_selected;
};

/// Opens a window of its own on it, which deletes itself when it is closed. `options`: without the analyses of files, which the window
/// finds itself; `files`: those that a person named.
void showComparison(const Comparison& comparison, const ExperimentOptions& options, const std::vector<std::filesystem::path>& files);

} // namespace helio
