#include "CAres.h"
