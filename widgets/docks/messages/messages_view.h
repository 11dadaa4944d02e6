#pragma once

#include "core/query/rows/messages.h"
#include "widgets/async/latest_task.h"
#include "widgets/controls/field_grid.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// Dock with all warnings about the traces, one per kind, the most severe first, each with what the user can do.
class MessagesView : public ScrollPage, public CommandProvider {
    Q_OBJECT

public:
    explicit MessagesView(ViewContext& context, QWidget* parent = nullptr);

    ShownCommand shownCommand() const override { return {{"info"}, {}, {}}; }

private:
    void fetch();
    void combine();
    void show(const std::vector<Message>& messages);
    QWidget* makeLine(const Message& message);
    void showPlace(const std::vector<TimeRange>& places, const QString& which);

    ViewContext& m_context;
    SampleModel& m_samples;
    std::vector<Message> m_ofTraces;
    std::vector<Message> m_shown; ///< Shown messages: m_ofTraces and the messages about samples.
    LatestTask m_job;
};

} // namespace helio
