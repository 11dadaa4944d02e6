#pragma once

#include "app/gui/analyses/file_watch.h"
#include "core/experiment/experiment.h"
#include "core/xml_analysis/catalog.h"
#include "widgets/workspace/analysis_list.h"

#include <QMap>
#include <QObject>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// The analyses in XML files that a window runs: finds the files, reads them again when they change, knows which of them are on, and which
/// of plug-ins. What runs is the last version of a file that was without errors. UI thread. Cost: reading a file takes some 10 µs a KB.
class DeclaredAnalyses : public QObject {
    Q_OBJECT

public:
    explicit DeclaredAnalyses(QObject* parent = nullptr);

    /// Those that are there anyway: the program's, and those of plug-ins.
    void setBase(const ExperimentOptions& options);
    /// The same of its analyses alone, once plug-ins were loaded.
    void setBaseAnalyses(std::shared_ptr<const Analyses> base);
    const std::shared_ptr<const Analyses>& base() const { return m_base; }
    /// Files that the user named; they run on every trace.
    void addGiven(const std::vector<std::filesystem::path>& files);
    /// Adds a file that runs only on the open traces; if none were opened yet, on the first ones.
    void addForOpened(const std::filesystem::path& file);
    const std::vector<std::filesystem::path>& given() const { return m_given; }
    /// Files beside these traces count from now on, and beside no others.
    void setTraces(const std::vector<std::filesystem::path>& traces);
    /// What a person switched on or off, by id.
    void setSwitches(QMap<QString, bool> switches);
    const QMap<QString, bool>& switches() const { return m_switches; }
    /// Looks at all files at once, as if one had changed.
    void readAgain();

    /// What traces are to be opened with: the analyses of each trace, and as relations those of all traces together.
    void addTo(ExperimentOptions& options) const;
    /// The same without those of files.
    void removeFrom(ExperimentOptions& options) const
    {
        options.analyses = m_base;
        options.relations = m_baseRelations;
    }
    /// Of the files as they are now: what AnalysisList::Try is to be. Any thread.
    AnalysisList::Try trial() const;
    /// What the list of a window says, with the timeline that it shows.
    std::vector<AnalysisEntry> entries(const Timeline* timeline) const;
    const std::vector<AnalysisProblem>& problems() const { return m_problems; }

signals:
    void changed(); ///< addTo() gives others.
    void filesRead(); ///< What is said of them may be another.

private:
    /// What distinguishes one set of analyses from another.
    struct Mark {
        std::string id;
        int version = 0;
        bool isOn = false;
        bool operator==(const Mark&) const = default;
    };

    void read();
    void watch();
    void list();
    bool isOn(const xml::ListedAnalysis& it) const;
    AnalysisEntry entryOf(const xml::ListedAnalysis& it, const Timeline* timeline) const;
    std::vector<Mark> marks() const;
    void switchPlugins(Analyses& analyses) const;

    std::shared_ptr<const Analyses> m_base = Analyses::builtin();
    std::shared_ptr<const Relations> m_baseRelations = Relations::builtin();
    std::vector<std::filesystem::path> m_given;
    std::vector<std::filesystem::path> m_forOpened; ///< Subset of m_given that runs on m_traces only.
    std::vector<std::filesystem::path> m_traces; ///< Paths of the open traces; empty before the first ones are opened.
    std::vector<xml::AnalysisFolder> m_folders;
    QMap<QString, bool> m_switches;
    std::vector<xml::AnalysisFile> m_files; ///< As they are now.
    std::vector<xml::AnalysisFile> m_used; ///< The same in the version that runs.
    std::map<std::filesystem::path, xml::AnalysisFile> m_good; ///< Those that had no errors when they were read last without any.
    std::vector<xml::ListedAnalysis> m_listed; ///< Of m_used.
    std::vector<AnalysisProblem> m_problems;
    std::vector<Mark> m_marks;
    FileWatch m_watch;
};

/// Runs an analysis over the traces that are open: each by itself, or all together where it is for those.
AnalysisTrial tryOut(const xml::DeclaredKind& kind, const Timeline& timeline, std::optional<std::size_t> rule, std::stop_token stop);

} // namespace helio
