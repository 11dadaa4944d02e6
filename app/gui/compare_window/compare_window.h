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

/// Window that compares two experiments: A above B under one ruler; below, docks with the differences and with the reason why B took
/// longer.
/// Ownership: owns the panes of both sides.
/// Threads: UI thread.
class CompareWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit CompareWindow(QWidget* parent = nullptr);
    ~CompareWindow() override;

    /// Adds XML files of analyses, which run on every trace.
    void loadAnalyses(const std::vector<std::filesystem::path>& files) { m_analyses.addGiven(files); }
    /// Opens the two sides and restores the position of the comparison. `options` has no analyses from files. The clocks of `options` apply
    /// to both sides; if it has none, the clocks of the comparison apply.
    void open(const Comparison& comparison, const ExperimentOptions& options);
    Comparison comparison() const;

    CompareContext& context() { return m_context; }
    Session& session(Side side) { return pane(side).session(); }

private:
    void resizeEvent(QResizeEvent* event) override;
    void distributeHeight();
    bool focusNextPrevChild(bool isNext) override;
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

    void makeMenus();
    void bindFileActions();
    void bindViewActions();
    void bindGoActions();
    void bindAlignActions();
    void bindCompareActions();
    void makePalette();
    void explainDifferenceLane(); ///< Shows in the status bar why the difference lane is hidden, e.g. because the sides are not linked.
    void save(const QString& path);
    void copyCommand();

    void wireAnalyses();
    void makeAnalysesMenu();
    void chooseAnalyses(const Comparison& comparison, const ExperimentOptions& options);
    void listAnalyses();
    void listAnalysesOfOpened();
    void runAnalyses();
    void useAllowedPlugins();
    void followNotice(const QString& reference);

    ProgramTheme m_theme; ///< Theme of the program. First member, because the widgets are created with its colours.
    Settings m_settings;
    HeaderBar* m_header;
    SideNameBar* m_names;
    StatusBar* m_status;
    NoticeBar* m_notice;
    ChangeHistory m_changes; ///< Changes of both sides that the user can undo.
    std::array<Parts, 2> m_sides;
    CompareContext m_context;
    Actions* m_actions;
    WindowPalette* m_palette = nullptr;
    AlignmentControl* m_alignment;
    ComparisonDocks* m_docks;
    SideStacks* m_stacks;
    QSplitter* m_parts;
    bool m_isResizedByUser = false; ///< True if the user set the height of the docks.
    Comparison m_pending; ///< State to restore once both sides are known.
    XmlAnalyses m_analyses;
    AnalysisFileActions* m_fileActions = nullptr;
    /// Addresses of the traces and analyses for which listAnalyses() last ran; compared to detect other traces or analyses.
    std::vector<const void*> m_listedIdentities;
    ExperimentOptions m_base; ///< Options for opening traces, without the analyses from files.
    ExperimentOptions m_options; ///< Options for opening traces, with the analyses from files.
    /// Position of the selected row of each side. Stored before the side's timeline is replaced, to select the row again afterwards.
    std::array<SessionState, 2> m_selectedRowPositions;
    QString m_path; ///< Path of the comparison's file; empty if it was not saved yet.
    bool m_isPlaced = false;
    bool m_isLow = false; ///< True if the window is lower than LowHeight.
    bool m_areCpusAskedFor = false; ///< True if the user requested the rows of CPUs, which then get the height that they need.
    std::unique_ptr<SelectedRows> m_selected;
};

/// Opens a comparison window, which deletes itself when closed. `options` has no analyses from files, because the window finds these
/// itself; `files` are analysis files that the user named.
void showComparison(const Comparison& comparison, const ExperimentOptions& options, const std::vector<std::filesystem::path>& files);

} // namespace helio
