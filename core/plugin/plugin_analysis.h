#pragma once

#include "core/analysis/analysis.h"
#include "core/plugin/heliograph_plugin.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// An analysis of a plug-in as a kind like any other.
class PluginAnalysisKind final : public AnalysisKind {
public:
    /// What makes a plug-in's analysis unusable; empty: nothing.
    static std::string wrongIn(const heliograph_analysis_v1& analysis);

    /// Requires: nothing is wrong in it, and it stays. `fileHash` is part of the version. `note`: as of PluginAtWork.
    PluginAnalysisKind(const heliograph_analysis_v1& analysis, std::filesystem::path file, std::uint32_t fileHash, std::string note = {});

    std::string_view id() const override { return m_id; }
    int version() const override { return m_version; }
    const std::string& title() const { return m_title; } ///< For menus.
    const std::filesystem::path& file() const { return m_file; } ///< That it was loaded from.
    std::span<const TrackView> views() const override { return m_views; }
    bool appliesTo(const Trace& trace) const override;
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override;

private:
    const heliograph_analysis_v1& m_analysis;
    const std::string m_id;
    const std::string m_title;
    const std::filesystem::path m_file;
    const int m_version;
    const std::string m_note; ///< The file that is made where the program ends in it.
    std::vector<TrackView> m_views;
};

} // namespace helio
