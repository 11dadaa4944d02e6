#pragma once

#include "core/analysis/analysis.h"
#include "core/base/result.h"
#include "core/plugin/heliograph_plugin.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// An analysis kind that is implemented by a plug-in.
class PluginAnalysisKind final : public AnalysisKind {
public:
    /// Returns the reason why the plug-in's analysis is unusable; empty if it is usable.
    static std::string findDefect(const heliograph_analysis_v1& analysis);

    /// `fileHash` becomes part of version(). `note` is the path of the crash note (PluginCrashGuard). Requires: findDefect(analysis)
    /// is empty, and the library of `analysis` is never unloaded.
    PluginAnalysisKind(const heliograph_analysis_v1& analysis, std::filesystem::path file, std::uint32_t fileHash, std::string note = {});

    std::string_view id() const override { return m_id; }
    int version() const override { return m_version; }
    const std::string& title() const { return m_title; } ///< Returns the title of the analysis for menus.
    const std::filesystem::path& file() const { return m_file; } ///< Returns the path of the plug-in file that contains the analysis.
    std::span<const TrackView> views() const override { return m_views; }
    bool appliesTo(const Trace& trace) const override;
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override;

private:
    const heliograph_analysis_v1& m_analysis;
    const std::string m_id;
    const std::string m_title;
    const std::filesystem::path m_file;
    const int m_version;
    const std::string m_note; ///< Path of the crash note, which is written if the program crashes in the analysis; empty for no note.
    std::vector<TrackView> m_views;
};

/// Loads a plug-in (see heliograph_plugin.h) and returns its analyses. A plug-in is native code, which may do whatever the program
/// may do. The library is never unloaded. `note` is the path of the crash note (PluginCrashGuard). Requires: the user named or
/// allowed the file.
/// Errors: each error names the file. NotFound; Unreadable if the file is no shared library, or if a library that it needs is
/// missing; Unsupported if it is no plug-in or supports only other versions of the interface.
Result<std::vector<std::shared_ptr<const AnalysisKind>>> loadPlugin(const std::filesystem::path& file, const std::string& note = {});

} // namespace helio
