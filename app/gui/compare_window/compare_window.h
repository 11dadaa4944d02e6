#pragma once

#include "app/gui/analyses/xml_analyses.h"
#include "app/gui/common/experiment_pane.h"
#include "app/gui/common/program_theme.h"
#include "app/gui/compare_window/comparison_file.h"
#include "widgets/compare/compare_context.h"
#include "widgets/compare/side_style.h"

#include <QMainWindow>

#include <array>

class QSplitter;

namespace helio {

class Actions;
class AnalysisFileActions;
class ComparisonDocks;
class HeaderBar;
class NoticeBar;
class SelectedRows;
class SideFrame;
class SideNameBar;
class SideStacks;
class StatusBar;
class WindowPalette;

/// Window with two experiments, A above B under one ruler; below, the differences and why B took longer. Ownership: owns the panes of both
/// sides. Threads: UI thread.
class CompareWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit CompareWindow(QWidget* parent = nullptr);
    ~CompareWindow() override;

    /// XML files of analyses, which run on every trace.
    void loadAnalyses(const std::vector<std::filesystem::path>& files) { m_analyses.addGiven(files); }
    /// Opens the two sides and restores the position of the comparison. `options` contains only analyses that do not come from files. Its
    /// clocks apply to both sides; if it has none, the clocks of the comparison apply.
    void open(const Comparison& comparison, const ExperimentOptions& options);
    /// Returns the current state of the comparison.
    Comparison comparison() const;

    CompareContext& context() { return m_context; }
    Session& session(Side side) { return pane(side).session(); }

private:
    void resizeEvent(QResizeEvent* event) override;
    void distributeWidth();
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

    // Actions.
    void makeMenus();
    void bindFileActions();
    void bindViewActions();
    void bindGoActions();
    void bindAlignActions();
    void bindCompareActions();
    void makePalette();
    void explainDifferenceLane(); ///< The difference lane needs one axis for both sides.
    void save(const QString& path);

    // The analyses in files.
    void wireAnalyses();
    void makeAnalysesMenu();
    void chooseAnalyses(const Comparison& comparison, const ExperimentOptions& options);
    void listAnalyses();
    void listAnalysesOfOpened();
    void runAnalyses();
    void useAllowedPlugins();
    void followNotice(const QString& reference);

    ProgramTheme m_theme; ///< First member: the widgets are created with its colours.
    Settings m_settings;
    HeaderBar* m_header;
    SideNameBar* m_names;
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
    bool m_isResizedByUser = false; ///< The user set the height of the docks.
    Comparison m_pending; ///< State to restore once both sides are known.
    XmlAnalyses m_analyses;
    AnalysisFileActions* m_fileActions = nullptr;
    std::vector<const void*> m_listedIdentities; ///< Identities of the traces and analyses for which the list of analyses was made.
    ExperimentOptions m_base; ///< Without the analyses of files.
    ExperimentOptions m_options; ///< With the analyses of files.
    std::array<SessionState, 2> m_places; ///< The selected rows, while the timelines of the sides are replaced.
    QString m_path; ///< Path of the comparison's file; empty if not saved yet.
    bool m_isPlaced = false;
    bool m_isLow = false; ///< The window is lower than usual.
    bool m_areCpusAskedFor = false; ///< The user asked for the rows of CPUs, which then get the height that they need.
    std::unique_ptr<SelectedRows> m_selected;
};

/// Opens a comparison window that deletes itself when it is closed. `options`: without the analyses of files, which the window finds
/// itself. `files`: analysis files that the user named.
void showComparison(const Comparison& comparison, const ExperimentOptions& options, const std::vector<std::filesystem::path>& files);

} // namespace helio
