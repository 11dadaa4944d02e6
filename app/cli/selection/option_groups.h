#pragma once

#include "app/cli/selection/option_list.h"
#include "app/cli/selection/options.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio {

// Options that several commands, or a command and the window, have in common.

void addTraces(OptionList& options, OptionTexts& texts);
void addSides(OptionList& options, OptionTexts& texts); ///< --a and --b.
void addReading(OptionList& options, OptionTexts& texts); ///< How traces are read: offsets, stores, symbols.
void addSelection(OptionList& options, OptionTexts& texts, const char* filterHelp); ///< Times, rows, threads.
void addView(OptionList& options, OptionTexts& texts, const char* help = "One of those that heliograph views lists");
void addCallTree(OptionList& options, OptionTexts& texts); ///< How call stacks become a tree.
void addDifference(OptionList& options, OptionTexts& texts); ///< How the call stacks of two sides are compared.
void addInlining(OptionList& options, OptionTexts& texts);
void addWeight(OptionList& options, OptionTexts& texts); ///< --by.

/// For rows that are filtered as a whole.
extern const char* const RowFilterHelp;
extern const char* const IntervalFilterHelp;
extern const char* const SampleFilterHelp;

std::vector<std::string_view> tableFormats(const OptionTexts& texts); ///< Of most commands: text, csv, json.
std::string missingTrace(const OptionTexts& texts);
std::string missingTraceOrView(const OptionTexts& texts);

} // namespace helio
