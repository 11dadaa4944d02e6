#pragma once

#include "tests/bench/suite/figures.h"

#include <QJsonObject>

namespace helio::bench {

/// Descriptions of the machine and of the trace.
struct Setting {
    std::string machine; ///< Processor, memory and kernel, for example "AMD EPYC, 2 cores, 23.5 GiB, Linux 6.18".
    std::string trace; ///< Number of events, origin and size of the trace, for example "22,096,061 events made of big-kernel, 496 MiB".
};
std::string describeMachine();

/// Load average over the last minute: number of tasks that run or wait for a CPU.
double machineLoad();

std::string asTable(const Setting& setting, const Figures& figures);
/// Returns a Markdown table of the figures that have a goal or a comparison.
std::string asMarkdown(const Setting& setting, const Figures& figures);
QJsonObject asJson(const Setting& setting, const Figures& figures);

/// Returns a table with each figure of this run and of an earlier run's JSON, and the factor of improvement.
std::string compare(const Figures& now, const QJsonObject& before);

} // namespace helio::bench
