#pragma once

#include "tests/bench/suite/figures.h"
#include "tests/bench/suite/subject.h"

#include <span>

namespace helio::bench {

/// Inputs, options and results that all sections of the benchmark share.
struct Measuring {
    Subject& subject;
    Figures& figures;
    int repeat = 3; ///< Number of runs of each measurement; the best run is reported.
};

/// A part of the benchmark that can be selected by its name.
struct Section {
    const char* name;
    const char* what;
    void (*measure)(Measuring&);
};

/// All sections, in the order in which they run.
std::span<const Section> sections();

// Benchmark functions, which sections() lists. Each one is defined in its own file.
void measureDecoding(Measuring&);
void measureIngest(Measuring&);
void measureCalls(Measuring&);
void measureTraceDat(Measuring&);
void measureDeclared(Measuring&);
void measureHosts(Measuring&);
void measureMachines(Measuring&);
void measurePaths(Measuring&);
void measureLatencies(Measuring&);
void measureSql(Measuring&);
void measureRemote(Measuring& m);
void measureFleet(Measuring&);
void measureInstructions(Measuring&);
void measureHotPaths(Measuring&);
void measureText(Measuring&);
void measureSizes(Measuring&);
void measureReopening(Measuring&);
void measureQueries(Measuring&);
void measureOverview(Measuring&);
void measureFrames(Measuring&);
void measureWindow(Measuring&);
void measureEvents(Measuring&);
void measureCancelling(Measuring&);
void measureFlame(Measuring&);

} // namespace helio::bench
