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

/// The XML analyses of a window: finds and watches their files, reads them again after changes, and stores which XML analyses and plug-ins
/// are switched on. Uses the last version of each file that had no errors.
/// Threads: UI thread.
/// Cost: about 10 µs per KB of a file.
class XmlAnalyses : public QObject {
    Q_OBJECT

public:
    explicit XmlAnalyses(QObject* parent = nullptr);

    /// Sets the analyses that do not come from XML files: built-in analyses and plug-ins.
    void setBase(const ExperimentOptions& options);
    /// Replaces the analyses of setBase() but keeps its correlators, after plug-ins were loaded.
    void setBaseAnalyses(std::shared_ptr<const Analyses> base);
    const std::shared_ptr<const Analyses>& base() const { return m_base; }
    /// Adds files that the user named, whose analyses run on every trace.
    void addGiven(const std::vector<std::filesystem::path>& files);
    /// Adds a file whose analyses run only on the open traces; if no traces were opened yet, on the first traces that are opened.
    void addForOpenTraces(const std::filesystem::path& file);
    const std::vector<std::filesystem::path>& given() const { return m_given; }
    /// Sets the open traces. The analysis files in the folders of these traces replace the analysis files from the folders of the previous
    /// traces.
    void setTraces(const std::vector<std::filesystem::path>& traces);
    /// Sets which analyses the user switched on (true) or off, keyed by id.
    void setSwitches(QMap<QString, bool> switches);
    const QMap<QString, bool>& switches() const { return m_switches; }
    /// Reads all files again, as if they had changed.
    void readAgain();

    /// Sets the analyses and correlators with which traces are opened. An XML analysis that reads the events of all traces together becomes
    /// a correlator; any other XML analysis becomes an analysis.
    void addTo(ExperimentOptions& options) const;
    /// Resets the analyses and correlators to those of setBase(), which do not come from XML files.
    void removeFrom(ExperimentOptions& options) const
    {
        options.analyses = m_base;
        options.relations = m_baseRelations;
    }
    /// Returns a function that runs the current version of an analysis over the open traces (see AnalysisList::Try).
    /// Threads: the function can be called on any thread.
    AnalysisList::Try trial() const;
    /// Returns the entries for the window's list of analyses. `timeline` is the timeline that the window shows, or nullptr.
    std::vector<AnalysisEntry> entries(const Timeline* timeline) const;
    const std::vector<AnalysisProblem>& problems() const { return m_problems; }

signals:
    void changed(); ///< Emitted when addTo() sets other analyses than before.
    void filesRead(); ///< Emitted after files were read; entries() and problems() may have changed.

private:
    /// Id, version and switch of an analysis. Two sets of analyses are equal if the lists of their identities are equal.
    struct AnalysisIdentity {
        std::string id;
        int version = 0;
        bool isOn = false;
        bool operator==(const AnalysisIdentity&) const = default;
    };

    void read();
    void watch();
    void list();
    bool isOn(const xml::ListedAnalysis& it) const;
    AnalysisEntry entryOf(const xml::ListedAnalysis& it, const Timeline* timeline) const;
    std::vector<AnalysisIdentity> marks() const;
    void switchPlugins(Analyses& analyses) const;

    std::shared_ptr<const Analyses> m_base = Analyses::builtin();
    std::shared_ptr<const CorrelatorRegistry> m_baseRelations = CorrelatorRegistry::builtin();
    std::vector<std::filesystem::path> m_given;
    /// Files of m_given whose analyses run only on the traces in m_traces, not on every trace.
    std::vector<std::filesystem::path> m_forOpenTraces;
    std::vector<std::filesystem::path> m_traces; ///< Paths of the open traces; empty before the first traces are opened.
    std::vector<xml::AnalysisFolder> m_folders;
    QMap<QString, bool> m_switches;
    std::vector<xml::AnalysisFile> m_files; ///< Current version of each analysis file, read after its last change.
    /// Content of each file whose analyses run: the current content or, if it has errors, the last content without errors. Indexed like
    /// m_files.
    std::vector<xml::AnalysisFile> m_used;
    std::map<std::filesystem::path, xml::AnalysisFile> m_lastValid; ///< Last version without errors of each analysis file, keyed by path.
    std::vector<xml::ListedAnalysis> m_listed; ///< All analyses in the files of m_used.
    std::vector<AnalysisProblem> m_problems;
    std::vector<AnalysisIdentity> m_marks;
    FileWatch m_watch;
};

/// Runs an analysis over the open traces: over each trace separately, or over all together if the analysis is for all traces.
AnalysisTrial runTrial(const xml::XmlAnalysisKind& kind, const Timeline& timeline, std::optional<std::size_t> rule, std::stop_token stop);

} // namespace helio
