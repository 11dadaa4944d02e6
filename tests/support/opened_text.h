#pragma once

#include "core/experiment/experiment.h"
#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"
#include "tests/support/made_timeline.h"

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

#include <memory>
#include <string>

namespace helio {

/// A text that was written to a file and opened as a recording, or an existing file that was opened as a recording.
class OpenedText {
public:
    explicit OpenedText(const QByteArray& text, const QString& name = "samples.txt")
        : OpenedText()
    {
        const QString path = m_folder.path() + '/' + name;
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(path));
        file.close();
        open(path);
    }
    static std::unique_ptr<OpenedText> ofFile(const QString& path, SymbolOptions symbols = {})
    {
        std::unique_ptr<OpenedText> opened(new OpenedText);
        opened->m_options.symbols = std::move(symbols);
        opened->open(path);
        return opened;
    }

    /// The opened timeline; nullptr if the file could not be opened, with the reason in `error`.
    std::shared_ptr<const Timeline> timeline;
    std::string error;

    StackProfile profile(const std::string& kind = {}) const
    {
        SampleFilter filter;
        for (const SampleKindFacts& facts : sampleKinds(*timeline))
            if (facts.kind.name == kind || facts.kind.name.starts_with(kind + ':'))
                filter.kinds = {facts.kind.name};
        return collectStacks(*timeline, filter);
    }

    /// Samples as folded stacks, sorted by name: "comm;main;leaf 12
    /// ..."
    std::string folded(const std::string& kind = {}, WeightBy by = WeightBy::Samples, bool expandsInlined = true) const
    {
        const StackProfile collected = profile(kind);
        CallTreeOptions options;
        options.order = CallTreeOptions::Order::Name;
        options.by = by;
        NamingOptions naming;
        naming.expandsInlined = expandsInlined;
        std::string text;
        writeFolded(buildCallTree(collected, nameStacks(collected, *timeline, naming), options), by, [&](std::string_view part) {
            text += part;
            return true;
        });
        return text;
    }

    const Trace& trace() const { return *timeline->traces.at(0).trace; }
    /// Store of the analyses that ran on the text.
    const Store& store() const { return singleStore(*timeline); }
    const TraceFacts& facts() const { return *timeline->traces.at(0).facts; }

    /// Returns how often diagnostics of the kind `kind` were reported.
    std::uint64_t complaints(const std::string& kind) const
    {
        for (const Diagnostic& diagnostic : trace().diagnostics())
            if (diagnostic.kind == kind)
                return diagnostic.count;
        return 0;
    }
    std::string firstComplaint() const { return trace().diagnostics().empty() ? std::string() : trace().diagnostics().front().what; }

private:
    OpenedText() = default;

    void open(const QString& path)
    {
        m_options.storeDirectory = (m_folder.path() + "/stores").toStdString();
        auto opened = Experiment::open({path.toStdString()}, m_options);
        if (!opened) {
            error = opened.error().what;
            return;
        }
        m_experiment = std::move(*opened);
        m_experiment->start();
        if (const auto done = m_experiment->wait(); !done) {
            error = done.error().what;
            return;
        }
        timeline = m_experiment->timeline();
    }

    QTemporaryDir m_folder;
    ExperimentOptions m_options;
    std::unique_ptr<Experiment> m_experiment;
};

} // namespace helio
